// The training view: the mistakes of all saved games, by motif, opening and phase.

import type { App } from './app';
import { motifLabel } from './coach';
import { dialog, h, replace } from './dom';
import { choose, exercisesOfGame, statusOf, type Memory } from './exercises';
import { mayLeaveGame, reviewGames } from './review';
import type { Exercise } from './state';
import type { LibraryGame } from './storage';

/** Exercises of one training. */
const SESSION = 10;
/** Shorter games teach nothing. */
const SHORTEST = 8;
const NONE = 'Without a motif';

/** The players of the library, those with most games first. */
function playersOf(games: LibraryGame[]): string[] {
  const counts = new Map<string, number>();
  for (const { white, black } of games) {
    for (const name of [white, black]) if (name && !name.startsWith('Halcyon')) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((one, two) => two[1] - one[1]).map(([name]) => name);
}

type Group = 'motif' | 'opening' | 'phase';

/** The groups that an exercise belongs to. */
function groupsOf(exercise: Exercise, by: Group): string[] {
  if (by === 'phase') return [motifLabel(exercise.lesson.phase)];
  if (by === 'opening') return [exercise.opening || 'Unknown opening'];
  const names = exercise.lesson.motifs.map(({ words }) => motifLabel(words));
  return names.length ? names : [NONE];
}

export async function trainingDialog(app: App): Promise<void> {
  if (app.state.mode.kind === 'training') return;
  await app.saveToLibrary();
  let games = await app.library.all();
  const memories = new Map((await app.library.memories()).map((memory): [string, Memory] => [memory.key, memory]));
  let reviewed = games.filter((game) => game.accuracy !== null);
  const players = playersOf(reviewed);
  const chosenPlayer = players.includes(app.state.settings.player) ? app.state.settings.player : players.includes('You') ? 'You' : '';
  const player = h('select', { 'aria-label': 'Whose mistakes' });
  const offer = (names: string[], chosen: string) =>
    replace(
      player,
      h('option', { value: '', selected: chosen === '' }, 'Both sides of every game'),
      ...names.map((name) => h('option', { value: name, selected: name === chosen }, name)),
    );
  offer(players, chosenPlayer);
  const body = h('div', { class: 'training-groups' });
  const summary = h('p', { class: 'training-summary' });
  const start = h('button', { type: 'button', class: 'primary', onClick: () => void begin() }, 'Start');
  const tabs = h('div', { class: 'segments', role: 'group', 'aria-label': 'Group by' });
  let by: Group = 'motif';
  let only: string | null = null;

  const all = () => reviewed.flatMap((game) => exercisesOfGame(game, player.value));
  const chosen = () => {
    const name = only;
    return name === null ? all() : all().filter((one) => groupsOf(one, by).includes(name));
  };
  const begin = async () => {
    const exercises = choose(chosen(), memories, SESSION, Date.now());
    if (exercises.length === 0 || !(await mayLeaveGame(app, 'A training'))) return;
    app.set({ player: player.value });
    window_.close();
    app.dispatch({ type: 'abandon' });
    app.dispatch({ type: 'train', exercises });
  };
  const row = (name: string, exercises: Exercise[], most: number) => {
    const keys = new Set(exercises.map((one) => one.key));
    const open = [...keys].filter((key) => statusOf(memories.get(key), Date.now()) !== 'later').length;
    const rating = Math.round(exercises.reduce((sum, one) => sum + one.lesson.difficulty.rating, 0) / exercises.length / 50) * 50;
    const bar = h('span', { class: 'share' });
    bar.style.setProperty('--share', String(keys.size / most));
    return h(
      'button',
      {
        type: 'button',
        class: 'group-row',
        'aria-pressed': String(only === name),
        onClick: () => {
          only = only === name ? null : name;
          show();
        },
      },
      h('b', {}, name),
      bar,
      h('span', { class: 'numbers' }, `${keys.size}`),
      h('small', { title: 'To be done now, and the mean of the estimated difficulties' }, `${open} to do · ${rating}`),
    );
  };
  const show = () => {
    const groups = new Map<string, Exercise[]>();
    for (const exercise of all()) {
      for (const name of groupsOf(exercise, by)) groups.set(name, [...(groups.get(name) ?? []), exercise]);
    }
    // What has no name comes last.
    const rows = [...groups].sort((one, two) => Number(one[0] === NONE) - Number(two[0] === NONE) || two[1].length - one[1].length);
    const most = Math.max(1, ...rows.map(([, list]) => new Set(list.map((one) => one.key)).size));
    const names: [Group, string][] = [
      ['motif', 'Motif'],
      ['opening', 'Opening'],
      ['phase', 'Phase'],
    ];
    replace(
      tabs,
      ...names.map(([value, text]) =>
        h(
          'button',
          {
            type: 'button',
            'aria-pressed': String(by === value),
            onClick: () => {
              by = value;
              only = null;
              show();
            },
          },
          text,
        ),
      ),
    );
    replace(body, ...rows.map(([name, list]) => row(name, list, most)));
    const list = chosen();
    const keys = [...new Set(list.map((one) => one.key))];
    const count = (status: string) => keys.filter((key) => statusOf(memories.get(key), Date.now()) === status).length;
    const ready = Math.min(SESSION, count('due') + count('new'));
    const soonest = Math.min(...keys.map((key) => memories.get(key)?.due ?? Infinity));
    const later =
      Number.isFinite(soonest) && ready === 0
        ? ` The next one is due ${new Date(soonest).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`
        : '';
    summary.textContent = keys.length === 0 ? '' : `${count('due')} due, ${count('new')} new, ${count('later')} known for now.${later}`;
    start.disabled = ready === 0;
    start.textContent = ready === 0 ? 'Nothing is due' : ready === 1 ? 'Train 1 exercise' : `Train ${ready} exercises`;
    empty.hidden = keys.length > 0;
    controls.hidden = reviewed.length === 0;
    showRest();
  };
  const empty = h('p', { class: 'hint' });
  const problem = h('p', { class: 'problem', role: 'alert', hidden: true });
  const rest = h('div', { class: 'training-rest' });
  /** What is not reviewed yet, and a button to do it. The game on the board has its own. */
  const showRest = () => {
    const open = games.filter((game) => game.accuracy === null && game.plies >= SHORTEST && game.id !== app.gameId);
    empty.textContent =
      reviewed.length === 0
        ? 'Mistakes of reviewed games become exercises. Review a game first (R): everything that you play or open here is kept in the library.'
        : 'There is no mistake of this player in the reviewed games.';
    rest.hidden = open.length === 0 || app.state.mode.kind === 'playing';
    const text =
      open.length === 1
        ? 'One game of the library has not been reviewed yet.'
        : `${open.length} games of the library have not been reviewed yet.`;
    const button = h('button', { type: 'button', onClick: () => void reviewAll(open) }, open.length === 1 ? 'Review it' : 'Review them');
    replace(rest, h('span', { class: 'hint' }, text), button);
  };
  const reviewAll = async (open: LibraryGame[]) => {
    const bar = h('progress', { max: open.length, value: 0, 'aria-label': 'Progress of the reviews' });
    const words = h('span', { class: 'hint', role: 'status' });
    replace(rest, words, bar);
    problem.textContent = '';
    try {
      await reviewGames(
        app,
        open,
        () => window_.isConnected,
        (done) => {
          bar.value = done;
          words.textContent = `Reviewing game ${Math.min(open.length, Math.floor(done) + 1)} of ${open.length}`;
        },
      );
    } catch (error) {
      problem.textContent = String((error as Error).message);
    }
    problem.hidden = !problem.textContent;
    games = await app.library.all();
    reviewed = games.filter((game) => game.accuracy !== null);
    offer(playersOf(reviewed), player.value);
    show();
  };
  const controls = h('div', { class: 'training-controls' }, h('label', { class: 'field' }, h('span', {}, 'Mistakes of'), player), tabs);
  player.addEventListener('change', () => {
    only = null;
    show();
  });
  const window_ = dialog('Training', controls, body, empty, summary, rest, problem, h('footer', {}, start));
  show();
  start.focus();
}
