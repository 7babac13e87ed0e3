// The review of a game: progress, accuracy of both sides, the verdict on the current move; and the
// result of a game that is over.

import type { App } from './app';
import { clauseButtons, difficultyLine, lessonNode, motifChips } from './coach';
import { download } from './dialogs';
import { confirm, dialog, h, icon, iconButton, replace } from './dom';
import { writePgn } from './pgn';
import type { Judgement, PeerReview, Side, SideReview } from './protocol';
import { exercisesOf } from './exercises';
import { applyReview } from './review-merge';
import { here, initialState, other, resultOf, type Reviewing } from './state';
import { entryOf, treeOf, type LibraryGame } from './storage';
import { isPass, mainLine, moveNumber, nodeOf, ROOT } from './tree';

const EFFORTS: [string, number][] = [
  ['Quick', 40_000],
  ['Thorough', 200_000],
  ['Deep', 1_000_000],
];
/** Nodes per second before any search has been seen. */
const USUAL_SPEED = 500_000;

function duration(seconds: number): string {
  if (seconds < 60) return `about ${Math.max(1, Math.round(seconds))} s`;
  return `about ${Math.round(seconds / 60)} min`;
}

/** Why nobody has to be asked again, or whether the user agrees to end the running game. */
export async function mayLeaveGame(app: App, what: string): Promise<boolean> {
  if (app.state.mode.kind !== 'playing' || mainLine(app.state.tree).length === 0) return true;
  return confirm('A game is running', `${what} ends the running game.`, 'End the game');
}

/** Reviews games of the library, one after the other, as long as it is wanted. `progress` counts games. */
export async function reviewGames(
  app: App,
  games: LibraryGame[],
  isWanted: () => boolean,
  progress: (done: number) => void,
): Promise<void> {
  const nodes = EFFORTS[0]?.[1] ?? 0;
  app.dispatch({ type: 'asking', node: app.state.at });
  try {
    for (const [index, game] of games.entries()) {
      if (!isWanted()) return;
      progress(index);
      const answer = await app.connection.ask<'review'>({ type: 'review', pgn: game.pgn, nodes, explain: true, peers: true }, (report) => {
        if (report.type === 'progress') progress(index + (0.9 * report.done) / report.total);
      });
      const before = treeOf(game);
      const tree = applyReview(before, [ROOT, ...mainLine(before)], ROOT, answer);
      const entry = entryOf({ ...initialState(), tree }, game.id, game.updated);
      const opening = game.opening || (await app.openingOf(tree));
      if (entry) await app.library.put({ ...entry, result: game.result, opening });
    }
  } finally {
    app.dispatch({ type: 'asking', node: null });
  }
}

/** A side beside the engine's level of the same rating. */
function comparison({ elo, positions, own, level }: PeerReview): HTMLElement {
  const count = positions === 1 ? 'one position' : `${positions} positions`;
  const title = `The accuracy in ${count} of this game, and that of Halcyon’s level of the same rating there. Chance plays a part.`;
  return h('p', { class: 'peer', title }, `Halcyon at ${elo} in ${count} of these: ${level.toFixed(0)}%, the player: ${own.toFixed(0)}%`);
}

export class ReviewCard {
  readonly element = h('section', { class: 'card review', 'aria-label': 'Review', hidden: true });
  private speed = USUAL_SPEED;

  constructor(private readonly app: App) {
    app.watch(
      (state) => [state.search?.view],
      () => {
        const view = app.state.search?.view;
        if (view && view.time_ms > 500) this.speed = Math.max(10_000, view.nps);
      },
    );
    app.watch(
      (state) => [state.mode, state.tree.review, state.tree.headers, lessonNode(state), state.at, state.asking, state.about],
      () => this.show(),
    );
  }

  /** Asks how thorough, and starts. */
  async ask(): Promise<void> {
    const { app } = this;
    const moves = mainLine(app.state.tree).length;
    if (moves === 0) {
      app.tell('There is no game to review. Paste one, or drop a PGN file on the page.');
      return;
    }
    if (app.state.mode.kind === 'reviewing' || !(await mayLeaveGame(app, 'A review'))) return;
    const buttons = EFFORTS.map(([name, nodes], index) =>
      h(
        'button',
        {
          type: 'button',
          class: index === 1 ? 'primary effort' : 'effort',
          onClick: () => {
            window_.close();
            this.start(nodes);
          },
        },
        h('span', {}, name),
        h('small', {}, duration(((moves + 1) * nodes) / this.speed)),
      ),
    );
    const window_ = dialog(
      'Review the game',
      h(
        'p',
        { class: 'hint' },
        `Halcyon analyses every position of the ${Math.ceil(moves / 2)} moves and says which moves gave away chances to win.`,
      ),
      h('footer', {}, ...buttons),
    );
    buttons[1]?.focus();
  }

  private start(nodes: number): void {
    const { app } = this;
    app.dispatch({ type: 'abandon' });
    app.dispatch({ type: 'review', nodes });
  }

  private show(): void {
    const { state } = this.app;
    const { mode, tree } = state;
    const verdict = mode.kind === 'playing' || mode.kind === 'training' ? null : this.verdict();
    const parts: HTMLElement[] = verdict ? [verdict] : [];
    if (mode.kind === 'reviewing') parts.push(this.progress(mode));
    else {
      if (mode.kind === 'over') parts.push(this.banner());
      if (tree.review && mode.kind !== 'playing' && mode.kind !== 'training') parts.push(...this.summary());
    }
    this.element.hidden = parts.length === 0;
    replace(this.element, ...parts);
  }

  private progress({ done, total, stage }: Reviewing): HTMLElement {
    const words = {
      positions: `Reviewing: ${done} of ${total} positions`,
      mistakes: `Explaining: ${done} of ${total} moves`,
      levels: `Comparing with players of the same rating: ${done} of ${total} positions`,
    };
    const bar = h('progress', { max: total, value: done, 'aria-label': 'Progress of the review' });
    const stop = h('button', { type: 'button', onClick: () => this.app.dispatch({ type: 'stop-review' }) }, icon('stop'), 'Stop');
    return h('div', { class: 'review-progress' }, h('span', {}, words[stage]), bar, stop);
  }

  /** The result of the game, and what to do next. */
  private banner(): HTMLElement {
    const { app } = this;
    const { mode } = app.state;
    if (mode.kind !== 'over') return h('div');
    const { color, setup } = mode.game;
    const { result, reason } = mode.ending;
    const won = color !== null && result === (color === 'white' ? '1-0' : '0-1');
    const title =
      result === '1/2-1/2' ? 'Draw' : color === null ? `${result === '1-0' ? 'White' : 'Black'} won` : won ? 'You won' : 'Halcyon won';
    const kind = result === '1/2-1/2' ? 'drawn' : won ? 'won' : 'lost';
    const rematch = () =>
      void app
        .newGame({ ...setup, color: color === null ? 'none' : other(color) })
        .catch((error) => app.tell(String((error as Error).message)));
    return h(
      'div',
      { class: `banner ${kind}`, role: 'status' },
      h('div', {}, h('strong', {}, title), h('span', {}, `${result.replace('1/2-1/2', '½–½')} · ${reason}`)),
      h(
        'div',
        { class: 'buttons' },
        // Once is enough; the button above the board is for whoever wants a more thorough one.
        !app.state.tree.review && h('button', { type: 'button', class: 'primary', onClick: () => void this.ask() }, 'Review this game'),
        h('button', { type: 'button', onClick: rematch }, 'Rematch'),
      ),
    );
  }

  /** What the review says about the move on the board. */
  private verdict(): HTMLElement | null {
    const { state } = this.app;
    const at = lessonNode(state);
    if (!at) return null;
    const { judged, lesson } = at;
    const judgement = judged?.judgement;
    const parent = at.parent === null ? null : nodeOf(state.tree, at.parent);
    const better = parent?.children.map((id) => nodeOf(state.tree, id)).find((node) => node.san === judged?.best && node.id !== at.id);
    const words =
      typeof judged?.loss === 'number' ? `gave away ${Math.round(judged.loss * 100)}% of the chance to win.` : 'was not the best move.';
    const name = h('b', {}, `${moveNumber(at.ply)} ${at.san}`);
    const show =
      better && better.id !== state.at
        ? h(
            'button',
            { type: 'button', class: 'show-best', onClick: () => this.app.go(better.id) },
            `Show ${moveNumber(at.ply)} ${better.san}`,
          )
        : null;
    const back =
      at.id !== state.at
        ? h('button', { type: 'button', class: 'show-best', onClick: () => this.app.go(at.id) }, `Back to ${moveNumber(at.ply)} ${at.san}`)
        : null;
    const busy = state.asking !== null;
    const why =
      lesson || isPass(at)
        ? null
        : h(
            'button',
            { type: 'button', class: 'show-best', disabled: busy, onClick: () => void this.app.why(at.id) },
            busy ? 'Thinking…' : 'Why?',
          );
    const sentence = judgement
      ? h(
          'span',
          {},
          name,
          ` is ${judgement === 'inaccuracy' ? 'an' : 'a'} ${judgement}: it ${words} ${judged?.best ? `${judged.best} was best.` : ''}`,
        )
      : h('span', {}, name);
    return h(
      'div',
      { class: `verdict ${judgement ?? ''}` },
      h('div', { class: 'verdict-head' }, sentence, why, back ?? show),
      lesson && parent && clauseButtons(this.app, lesson, parent.id, at.id),
      lesson && motifChips(lesson),
      lesson && judgement && difficultyLine(lesson),
    );
  }

  private summary(): HTMLElement[] {
    const { app } = this;
    const { tree } = app.state;
    const { review, headers } = tree;
    if (!review) return [];
    const own: Side | null = headers['White'] === 'You' ? 'white' : headers['Black'] === 'You' ? 'black' : null;
    const side = (name: string, color: Side, of: SideReview, peer: PeerReview | null) => {
      const count = (kind: Judgement, word: string, value: number) =>
        h(
          'button',
          { type: 'button', class: `count ${kind}`, disabled: value === 0, onClick: () => this.jump(kind, color) },
          h('b', {}, value),
          ` ${word}`,
        );
      return h(
        'div',
        { class: 'side-review' },
        h('div', { class: 'who', title: name }, h('span', { class: `disc ${color}` }), h('strong', {}, name)),
        h(
          'div',
          { class: 'accuracy' },
          of.accuracy === null ? '–' : `${of.accuracy.toFixed(0)}%`,
          h('small', { title: 'How close the moves were to the engine’s best, from 0 to 100' }, 'accuracy'),
        ),
        own === null || own === color ? this.retry(color, own !== null) : null,
        h(
          'div',
          { class: 'counts' },
          count('inaccuracy', of.inaccuracies === 1 ? 'inaccuracy' : 'inaccuracies', of.inaccuracies),
          count('mistake', of.mistakes === 1 ? 'mistake' : 'mistakes', of.mistakes),
          count('blunder', of.blunders === 1 ? 'blunder' : 'blunders', of.blunders),
          h(
            'span',
            { class: 'loss', title: 'Mean chance to win that a move gave away' },
            `average loss per move ${of.average_loss.toFixed(1)}%`,
          ),
        ),
        peer && comparison(peer),
      );
    };
    const save = iconButton('save', 'Annotated PGN', () => download('review.pgn', writePgn(tree, resultOf(app.state))));
    save.classList.add('save-review');
    return [
      h(
        'div',
        { class: 'sides' },
        side(headers['White'] ?? 'White', 'white', review.white, review.peers?.white ?? null),
        side(headers['Black'] ?? 'Black', 'black', review.black, review.peers?.black ?? null),
      ),
      save,
    ];
  }

  /** A button that starts a training with the mistakes of a side. */
  private retry(side: Side, isOwn: boolean): HTMLElement {
    const { app } = this;
    const { headers } = app.state.tree;
    const title = `${headers['White'] ?? 'White'} – ${headers['Black'] ?? 'Black'}`;
    const exercises = () => exercisesOf(app.state.tree, { side, title });
    const count = exercises().length;
    const whose = isOwn ? ' my mistakes' : h('span', { class: 'unseen' }, ` ${side === 'white' ? 'White' : 'Black'}’s mistakes`);
    const number = count ? ` (${count})` : '';
    return h(
      'button',
      {
        type: 'button',
        class: 'retry',
        disabled: count === 0,
        title: 'Find the better moves yourself',
        onClick: () => app.dispatch({ type: 'train', exercises: exercises() }),
      },
      h('span', {}, 'Retry', whose, number),
    );
  }

  /** Goes to the next move of a kind. */
  private jump(kind: Judgement, color: string): void {
    const { state } = this.app;
    const moves = mainLine(state.tree)
      .map((id) => nodeOf(state.tree, id))
      .filter((node) => node.judged?.judgement === kind && (node.ply % 2 === 1) === (color === 'white'));
    const next = moves.find((node) => node.ply > here(state).ply) ?? moves[0];
    if (next) this.app.go(next.id);
  }
}
