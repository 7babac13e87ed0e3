// The library: all games that were played, read or analysed in this browser.

import type { App } from './app';
import { download } from './dialogs';
import { dialog, h, iconButton, replace } from './dom';
import { mayLeaveGame } from './review';
import { treeOf, type LibraryGame } from './storage';
import { readText, textOf } from './texts';
import { mainEnd } from './tree';
import { pgnDate } from './pgn';

/** Rows that are drawn at once. */
const SHOWN = 200;

function describe(game: LibraryGame): string {
  const moves = Math.ceil(game.plies / 2);
  const accuracy = game.accuracy ? `reviewed: ${game.accuracy.map((one) => (one === null ? '–' : `${one.toFixed(0)}%`)).join(' / ')}` : '';
  const date = game.date.replace(/\.\?\?/g, '') || pgnDate(new Date(game.updated));
  return [game.event, game.opening, date, moves === 1 ? '1 move' : `${moves} moves`, accuracy].filter(Boolean).join(' · ');
}

export async function libraryDialog(app: App): Promise<void> {
  await app.saveToLibrary();
  let games = await app.library.all();
  const list = h('div', { class: 'games' });
  const count = h('p', { class: 'hint' });
  const deleted = h('p', { class: 'hint', role: 'status', hidden: true });
  const field = h('input', {
    type: 'text',
    class: 'words',
    placeholder: 'Players, opening, event or year',
    'aria-label': 'Search the library',
    spellcheck: 'false',
  });

  const open = async (game: LibraryGame) => {
    if (!(await mayLeaveGame(app, 'Another game'))) return;
    window_.close();
    const tree = treeOf(game);
    await app.open(tree, 'Another game was opened', { gameId: game.id, at: game.result === '*' ? mainEnd(tree) : 0 });
  };
  const remove = async (game: LibraryGame) => {
    await app.library.delete(game.id);
    games = games.filter((one) => one !== game);
    show();
    const undo = h(
      'button',
      {
        type: 'button',
        onClick: () => {
          deleted.hidden = true;
          void app.library.put(game).then(async () => {
            games = await app.library.all();
            show();
          });
        },
      },
      'Undo',
    );
    replace(deleted, 'The game was deleted. ', undo);
    deleted.hidden = false;
  };
  const row = (game: LibraryGame) => {
    const who = (name: string, color: string) =>
      h('span', { class: 'who' }, h('span', { class: `disc ${color}` }), h('strong', {}, name || (color === 'white' ? 'White' : 'Black')));
    return h(
      'div',
      { class: 'library-game' },
      h(
        'button',
        { type: 'button', class: 'a-game', onClick: () => void open(game) },
        h('span', { class: 'nr' }),
        h('span', { class: 'players' }, who(game.white, 'white'), who(game.black, 'black')),
        h('span', { class: 'result-of' }, game.result.replace(/1\/2/g, '½')),
        h('small', {}, describe(game)),
      ),
      iconButton('trash', 'Delete this game', () => void remove(game)),
    );
  };
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const found = games.filter((game) => {
      const text = [game.white, game.black, game.event, game.opening, game.date].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
    replace(list, ...found.slice(0, SHOWN).map(row));
    const hidden = found.length > SHOWN ? `, the first ${SHOWN} are listed` : '';
    count.textContent =
      games.length === 0
        ? 'Games that you play, open or analyse are kept here, in this browser only.'
        : `${found.length} of ${games.length} ${games.length === 1 ? 'game' : 'games'}${hidden}`;
  };
  field.addEventListener('input', show);
  const file = h('input', { type: 'file', accept: '.pgn,.txt', hidden: true });
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    window_.close();
    void textOf(chosen)
      .then((text) => readText(app, text))
      .catch((error) => app.tell(String((error as Error).message)));
  });
  const save = h(
    'button',
    { type: 'button', onClick: () => download('library.pgn', games.map((game) => game.pgn).join('\n')) },
    'Export all',
  );
  const read = h('button', { type: 'button', onClick: () => file.click() }, 'Import a file');
  const window_ = dialog('Library', field, list, deleted, count, file, h('footer', {}, read, save));
  window_.classList.add('wide');
  show();
  field.focus();
}
