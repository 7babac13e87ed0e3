// Dialogs: a new game, import and export, settings.

import type { App } from './app';
import { dialog, h, icon, iconButton } from './dom';
import { writePgn } from './pgn';
import { mayLeaveGame } from './review';
import type { BoardColors, Color, Pieces, Theme } from './settings';
import { resultOf } from './state';
import { editorDialog } from './editor';
import { readText, textOf } from './texts';
import type { Start } from './protocol';

/** A row of choices of which one is taken. */
function choices(name: string, label: string, options: [string, string][], chosen: string): { element: HTMLElement; value: () => string } {
  const inputs = options.map(([value]) => h('input', { type: 'radio', name, value, checked: value === chosen }));
  const items = options.map(([, text], index) => h('label', {}, inputs[index] ?? '', h('span', {}, text)));
  const element = h('fieldset', { class: 'choice-row' }, h('legend', {}, label), h('div', { class: 'segments' }, ...items));
  return { element, value: () => inputs.find((input) => input.checked)?.value ?? chosen };
}

const STRENGTHS: [number, string][] = [
  [750, 'new to chess: leaves pieces hanging'],
  [1050, 'beginner: sees captures, misses threats'],
  [1350, 'casual player: misses short tactics'],
  [1750, 'club player: misses quiet defences'],
  [2150, 'strong club player: rarely blunders'],
  [2550, 'master: errs only in deep lines'],
  [3200, 'grandmaster: hardly errs'],
];

export function strengthText(elo: number, max: number): string {
  if (elo > max) return 'Full strength';
  return `${elo} · ${STRENGTHS.find(([limit]) => elo <= limit)?.[1] ?? 'grandmaster: hardly errs'}`;
}

/** The longest own times. */
const MAX_MINUTES = 300;
const MAX_INCREMENT = 180;

const CLOCKS: [string, string][] = [
  ['0+0', 'None'],
  ['1+0', '1+0'],
  ['3+2', '3+2'],
  ['5+3', '5+3'],
  ['10+0', '10+0'],
  ['15+10', '15+10'],
  ['own', 'Own'],
];

export function newGameDialog(app: App): void {
  const { settings, limits } = app.state;
  const full = limits.maxElo + 50;
  const slider = h('input', {
    type: 'range',
    min: limits.minElo,
    max: full,
    step: 50,
    value: settings.elo === 0 ? full : settings.elo,
    id: 'strength',
    'aria-label': 'Strength',
  });
  const shown = h('output', { for: 'strength' });
  const show = () => {
    shown.textContent = strengthText(Number(slider.value), limits.maxElo);
    slider.style.setProperty('--filled', String((Number(slider.value) - limits.minElo) / (full - limits.minElo)));
  };
  slider.addEventListener('input', show);
  show();
  const color = choices(
    'color',
    'You play',
    [
      ['white', 'White'],
      ['random', 'Random'],
      ['black', 'Black'],
      ['none', 'Watch'],
    ],
    settings.color,
  );
  const known = CLOCKS.some(([value]) => value === `${settings.minutes}+${settings.increment}`);
  const clock = choices('clock', 'Clock', CLOCKS, known ? `${settings.minutes}+${settings.increment}` : 'own');
  const minutes = h('input', {
    type: 'number',
    min: 0,
    max: MAX_MINUTES,
    step: 0.5,
    value: settings.minutes || 20,
    'aria-label': 'Minutes',
  });
  const increment = h('input', {
    type: 'number',
    min: 0,
    max: MAX_INCREMENT,
    value: settings.increment,
    'aria-label': 'Seconds added per move',
  });
  const own = h('div', { class: 'which', hidden: known }, minutes, h('span', {}, 'min +'), increment, h('span', {}, 's per move'));
  clock.element.addEventListener('change', () => (own.hidden = clock.value() !== 'own'));
  const yields = h('input', { type: 'checkbox', checked: settings.yields });
  const manners = h('label', { class: 'which' }, yields, h('span', {}, 'Halcyon may resign and offer draws'));
  const start = choices(
    'start',
    'Start',
    [
      ['usual', 'Chess'],
      ['960', 'Chess960'],
      ['here', 'This position'],
    ],
    'usual',
  );
  const field = h('input', {
    type: 'number',
    min: 0,
    max: 959,
    value: String(Math.floor(Math.random() * 960)),
    'aria-label': 'Number of the Chess960 position',
  });
  const roll = iconButton('dice', 'Another one', () => (field.value = String(Math.floor(Math.random() * 960))));
  const which = h('div', { class: 'which', hidden: true }, h('span', {}, 'Position'), field, roll);
  start.element.addEventListener('change', () => (which.hidden = start.value() !== '960'));
  const position = (): Start => {
    if (start.value() === '960') return { chess960: Number(field.value) };
    return start.value() === 'here' ? { fen: app.at.fen } : 'usual';
  };
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const fail = (error: unknown) => {
    problem.textContent = String((error as Error).message);
    problem.hidden = false;
  };
  const begin = async () => {
    if (!(await mayLeaveGame(app, 'A new game'))) return;
    const elo = Number(slider.value) > limits.maxElo ? 0 : Number(slider.value);
    const time = clock.value() === 'own' ? [minutes.value, increment.value] : clock.value().split('+');
    // A field takes any number, whatever bounds it names.
    const within = (text: string | undefined, most: number) => Math.min(most, Math.max(0, Number(text) || 0));
    const [wholeMinutes, seconds] = [within(time[0], MAX_MINUTES), Math.round(within(time[1], MAX_INCREMENT))];
    const chosen = color.value() as Color;
    const setup = { elo, color: chosen, minutes: wholeMinutes, increment: seconds, yields: yields.checked };
    app.set(setup);
    await app.newGame({ start: position(), ...setup });
    window_.close();
  };
  const play = h('button', { type: 'button', class: 'primary', onClick: () => void begin().catch(fail) }, 'Play');
  const analyse = h(
    'button',
    {
      type: 'button',
      onClick: () => {
        void mayLeaveGame(app, 'Analysis')
          .then((may) => (may ? app.setUp(position()).then(() => window_.close()) : undefined))
          .catch(fail);
      },
    },
    'Analyse only',
  );
  const window_ = dialog(
    'New game',
    h('div', { class: 'field' }, h('label', { for: 'strength' }, 'Halcyon plays like'), shown, slider),
    color.element,
    clock.element,
    own,
    manners,
    start.element,
    which,
    problem,
    h('footer', {}, analyse, play),
  );
  // A low window shows the beginning of the dialog, not its end.
  play.focus({ preventScroll: true });
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  const area = h('textarea', { class: 'unseen' }, text);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Browsers that refuse the clipboard still copy what is selected.
    (button.closest('dialog') ?? document.body).append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.classList.add('done');
  window.setTimeout(() => button.classList.remove('done'), 1200);
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-chess-pgn' }));
  const link = h('a', { href: url, download: name });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function labelled(name: string, text: string, act: (button: HTMLElement) => void): HTMLButtonElement {
  const button = h('button', { type: 'button', onClick: () => act(button) }, icon(name), text);
  return button;
}

export function shareDialog(app: App): void {
  const text = writePgn(app.state.tree, resultOf(app.state));
  const fen = h('input', { type: 'text', value: app.at.fen, spellcheck: 'false', 'aria-label': 'FEN' });
  const area = h('textarea', { rows: 9, spellcheck: 'false', 'aria-label': 'PGN' });
  area.value = text;
  const file = h('input', { type: 'file', accept: '.pgn,.fen,.txt', hidden: true });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const load = (source: string) => {
    readText(app, source).then(
      () => window_.close(),
      (error) => {
        problem.textContent = String((error as Error).message);
        problem.hidden = false;
      },
    );
  };
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (chosen) void textOf(chosen).then(load);
  });
  const window_ = dialog(
    'Import and export',
    h(
      'div',
      { class: 'field' },
      h('span', {}, 'Position (FEN)'),
      fen,
      h(
        'div',
        { class: 'buttons' },
        labelled('copy', 'Copy', (button) => void copy(fen.value, button)),
        labelled('open', 'Set up', () => load(fen.value)),
        labelled('edit', 'Edit', () => {
          window_.close();
          editorDialog(app);
        }),
      ),
    ),
    h(
      'div',
      { class: 'field' },
      h('span', {}, 'Game (PGN)'),
      area,
      h(
        'div',
        { class: 'buttons' },
        labelled('copy', 'Copy', (button) => void copy(area.value, button)),
        labelled('save', 'Save', () => download('halcyon.pgn', area.value)),
        labelled('open', 'Load this text', () => load(area.value)),
        labelled('share', 'Open a file', () => file.click()),
      ),
    ),
    problem,
    h('p', { class: 'hint' }, 'A file can also be dropped anywhere on the page.'),
    file,
  );
}

/** Powers of two up to a bound, and the bound itself. */
function sizes(from: number, factor: number, most: number): [string, string][] {
  const list: number[] = [];
  for (let value = from; value < most; value *= factor) list.push(value);
  return [...list, most].map((value) => [String(value), String(value)]);
}

const DEPTHS: [string, string][] = [
  ['0', 'No limit'],
  ['15', '15'],
  ['20', '20'],
  ['30', '30'],
];

const SECONDS: [string, string][] = [
  ['0', 'No limit'],
  ['5', '5 s'],
  ['15', '15 s'],
  ['60', '1 min'],
  ['300', '5 min'],
];

export function settingsDialog(app: App): void {
  const { settings } = app.state;
  const bind = (row: ReturnType<typeof choices>, set: (value: string) => void) => {
    row.element.addEventListener('change', () => set(row.value()));
    return row.element;
  };
  const onOff: [string, string][] = [
    ['on', 'On'],
    ['off', 'Off'],
  ];
  const word = (value: boolean) => (value ? 'on' : 'off');
  const { usual, most } = app.state.limits;
  // What is not offered any more, because the server has other bounds, is the usual again.
  const known = (options: [string, string][], value: number) => (options.some(([one]) => one === String(value)) ? String(value) : '0');
  const threads: [string, string][] = [['0', 'Usual'], ...sizes(1, 2, most.threads)];
  const hash: [string, string][] = [['0', 'Usual'], ...sizes(16, 4, most.hash)];
  const isFixed = most.threads === 1;
  const window_ = dialog(
    'Settings',
    bind(
      choices(
        'theme',
        'Theme',
        [
          ['system', 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ],
        settings.theme,
      ),
      (value) => app.set({ theme: value as Theme }),
    ),
    bind(
      choices(
        'squares',
        'Board',
        [
          ['blue', 'Blue'],
          ['brown', 'Brown'],
          ['green', 'Green'],
        ],
        settings.board,
      ),
      (value) => app.set({ board: value as BoardColors }),
    ),
    bind(
      choices(
        'pieces',
        'Pieces',
        [
          ['classic', 'Classic'],
          ['plain', 'Plain'],
          ['letters', 'Letters'],
        ],
        settings.pieces,
      ),
      (value) => app.set({ pieces: value as Pieces }),
    ),
    bind(
      choices(
        'lines',
        'Lines of an analysis',
        ['1', '2', '3', '4', '5'].map((value) => [value, value]),
        String(settings.lines),
      ),
      (value) => app.set({ lines: Number(value) }),
    ),
    bind(choices('depth', 'Stop an analysis at depth', DEPTHS, String(settings.maxDepth)), (value) => app.set({ maxDepth: Number(value) })),
    bind(choices('seconds', 'Stop an analysis after', SECONDS, String(settings.maxSeconds)), (value) =>
      app.set({ maxSeconds: Number(value) }),
    ),
    ...(isFixed
      ? []
      : [
          bind(choices('threads', `Threads of the engine (usually ${usual.threads})`, threads, known(threads, settings.threads)), (value) =>
            app.set({ threads: Number(value) }),
          ),
        ]),
    bind(choices('hash', `Transposition table in MiB (usually ${usual.hash})`, hash, known(hash, settings.hash)), (value) =>
      app.set({ hash: Number(value) }),
    ),
    bind(choices('arrows', 'Arrows of the engine', onOff, word(settings.arrows)), (value) => app.set({ arrows: value === 'on' })),
    bind(choices('sound', 'Sounds of moves', onOff, word(settings.sound)), (value) => app.set({ sound: value === 'on' })),
  );
  window_.classList.add('settings');
}
