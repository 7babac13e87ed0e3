// Help: what is what, and the keys.

import type { App } from './app';
import { dialog, h, replace } from './dom';
import { startTour } from './tour';

const KEYS: [string, string][] = [
  ['← →', 'back and forward'],
  ['Home End', 'to the start, to the end'],
  ['↑ ↓', 'other variations'],
  ['Space', 'play the best move'],
  ['M', 'type a move'],
  ['L', 'engine on or off'],
  ['X', 'the opponent’s threat'],
  ['A', 'arrows on or off'],
  ['H', 'statistics of the search'],
  ['F', 'flip the board'],
  ['I', 'hint in a game'],
  ['U', 'take back in a game'],
  ['N', 'new game'],
  ['P', 'import and export'],
  ['O', 'library'],
  ['R', 'review the game'],
  ['W', 'why, or why not, this move?'],
  ['T', 'training'],
  ['S', 'say the score'],
  ['Esc', 'back from a recorded position'],
  ['?', 'this help'],
];

const HELP: [string, string][] = [
  ['Score', 'In pawns, positive when White is better; #3 is mate in three. The bar below it shows White’s chances to win, draw and lose.'],
  [
    'Lines',
    'Click a move to play up to it; point at it to see the position. Orange moves come from quiescence, the search of captures at the end of a line. The arrow at the end unfolds the whole line.',
  ],
  ['Moves', 'Right-click a move, or use the three dots above the list, for comments, symbols, and to promote or delete variations.'],
  [
    'Drawing',
    'Drag with the right mouse button for arrows, click for circles; Shift, Alt and both change the colour. They are kept with the position.',
  ],
  [
    'Games',
    'Drop a PGN file anywhere, or paste a game, a FEN or UCI moves. Every game is kept in the library of this browser; nothing is sent elsewhere.',
  ],
  [
    'Review',
    'Every position is analysed. A move that gives away 5, 10 or 15 percent of the chance to win is an inaccuracy, a mistake or a blunder; the green arrow is what was better. Where a game names ratings, each player stands beside Halcyon’s level of that rating in the same positions.',
  ],
  [
    'Coach',
    'Every mistake of a review is explained in sentences that searches have confirmed. Point at one to see its line as arrows, click it to walk through the line. Below them stands how hard the better move was to see, and about which strength finds it. “Why not?” asks about any other move: make it on the board first.',
  ],
  [
    'Training',
    'Mistakes of your reviewed games become exercises: right after a review with “Retry”, and later, when they are about to be forgotten, under Training.',
  ],
  [
    'Statistics',
    'What the search does, live, and its recorded tree: point at a label to read what it means. Selecting a node of the tree puts its position on the board; Escape leads back.',
  ],
];

export function helpDialog(app: App): void {
  const list = h('dl', { class: 'keys' });
  for (const [key, what] of KEYS) {
    list.append(h('dt', {}, ...key.split(' ').map((one) => h('kbd', {}, one))), h('dd', {}, what));
  }
  const topics = h('dl', { class: 'topics' });
  for (const [name, text] of HELP) topics.append(h('dt', {}, name), h('dd', {}, text));
  const about = h('p', { class: 'hint' });
  replace(
    about,
    `${app.state.limits.engine}, free software under the GPL, version 3 or later. The board is chessground by the people of Lichess, under the same licence; the classic pieces are by Colin M. L. Burnett (GPL, version 2 or later), the others our own; the names of openings are from lichess-org/chess-openings (CC0).`,
  );
  const tour = h(
    'button',
    {
      type: 'button',
      onClick: () => {
        window_.close();
        startTour(app);
      },
    },
    'Show me around',
  );
  const window_ = dialog('Help', h('div', { class: 'buttons' }, tour), topics, h('h3', {}, 'Keys'), list, about);
  window_.classList.add('wide');
}
