// Windows over the page: a new game, games in and out, help.

import type { App } from './app';
import { dialog, h, icon, iconButton, replace } from './dom';
import { pgn } from './pgn';
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
  [900, 'beginner'],
  [1300, 'casual player'],
  [1700, 'club player'],
  [2100, 'strong club player'],
  [2500, 'master'],
  [2800, 'grandmaster'],
];

export function strengthText(elo: number, max: number): string {
  if (elo > max) return 'Full strength';
  return `${elo} · ${STRENGTHS.find(([limit]) => elo <= limit)?.[1] ?? 'grandmaster'}`;
}

const CLOCKS: [string, string][] = [['0+0', 'None'], ['1+0', '1+0'], ['3+2', '3+2'], ['5+3', '5+3'], ['10+0', '10+0'], ['15+10', '15+10']];

export function newGameDialog(app: App): void {
  const { settings, limits } = app;
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
  const color = choices('color', 'You play', [['white', 'White'], ['random', 'Either'], ['black', 'Black']], settings.color);
  const clock = choices('clock', 'Clock', CLOCKS, `${settings.minutes}+${settings.increment}`);
  const start = choices('start', 'Start', [['usual', 'Chess'], ['960', 'Chess960'], ['here', 'This position']], 'usual');
  const field = h('input', { type: 'number', min: 0, max: 959, value: String(Math.floor(Math.random() * 960)), 'aria-label': 'Number of the Chess960 position' });
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
  const play = h('button', { type: 'button', class: 'primary', onClick: () => {
    const elo = Number(slider.value) > limits.maxElo ? 0 : Number(slider.value);
    const [minutes = 0, increment = 0] = clock.value().split('+').map(Number);
    const chosen = color.value() as 'white' | 'black' | 'random';
    app.set('elo', elo);
    app.set('color', chosen);
    app.set('minutes', minutes);
    app.set('increment', increment);
    app.newGame({ start: position(), color: chosen, elo, minutes, increment }).then(() => window_.close(), fail);
  } }, 'Play');
  const analyse = h('button', { type: 'button', onClick: () => {
    app.reset(position()).then(() => window_.close(), fail);
  } }, 'Analyse only');
  const window_ = dialog(
    'New game',
    h('div', { class: 'field' }, h('label', { for: 'strength' }, 'Halcyon plays like'), shown, slider),
    color.element,
    clock.element,
    start.element,
    which,
    problem,
    h('footer', {}, analyse, play),
  );
  play.focus();
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
  const text = pgn(app.tree, app.result(), app.isChess960);
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
    'Games in and out',
    h('div', { class: 'field' }, h('span', {}, 'Position (FEN)'), fen, h('div', { class: 'buttons' },
      labelled('copy', 'Copy', (button) => void copy(fen.value, button)),
      labelled('open', 'Set up', () => load(fen.value)))),
    h('div', { class: 'field' }, h('span', {}, 'Game (PGN)'), area, h('div', { class: 'buttons' },
      labelled('copy', 'Copy', (button) => void copy(area.value, button)),
      labelled('save', 'Save', () => download('halcyon.pgn', area.value)),
      labelled('open', 'Load this text', () => load(area.value)),
      labelled('share', 'Open a file', () => file.click()))),
    problem,
    h('p', { class: 'hint' }, 'A file can also be dropped anywhere on the page.'),
    file,
  );
}

const KEYS: [string, string][] = [
  ['← →', 'back and forward'],
  ['Home End', 'to the start, to the end'],
  ['↑ ↓', 'other variations'],
  ['Space', 'play the best move'],
  ['M', 'type a move'],
  ['L', 'engine on or off'],
  ['A', 'arrows on or off'],
  ['H', 'under the hood'],
  ['F', 'turn the board'],
  ['U', 'take back'],
  ['N', 'new game'],
  ['P', 'games in and out'],
  ['R', 'review the game'],
  ['S', 'say the score'],
  ['?', 'this window'],
];

export function helpDialog(app: App): void {
  const list = h('dl', { class: 'keys' });
  for (const [key, what] of KEYS) {
    list.append(h('dt', {}, ...key.split(' ').map((one) => h('kbd', {}, one))), h('dd', {}, what));
  }
  const about = h('p', { class: 'hint' });
  replace(about, `${app.limits.engine}, free software under the GPL, version 3 or later. The board is chessground by the people of Lichess, under the same licence.`);
  dialog('Keys', list, about);
}
