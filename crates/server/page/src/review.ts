// The review of a game: progress, accuracy of both sides, and the annotated game.

import type { App } from './app';
import { download } from './dialogs';
import { dialog, h, icon, replace } from './dom';
import { pgn } from './pgn';
import type { Answer, SideReview } from './protocol';
import type { Move } from './tree';

const EFFORTS: [string, number][] = [['Quick', 40_000], ['Thorough', 200_000], ['Deep', 1_000_000]];

export class ReviewCard {
  readonly element = h('section', { class: 'card review', 'aria-label': 'Review', hidden: true });
  private id = 0;
  private line: Move[] = [];

  constructor(private readonly app: App) {
    app.onAnswer((answer) => this.hear(answer));
    app.on(['review'], () => this.forget());
    app.on(['link'], () => {
      if (app.link.state !== 'open' && app.reviewing) this.stop();
    });
  }

  /** Asks how thorough, and begins. */
  ask(): void {
    const { app } = this;
    if (app.tree.main().length === 0) {
      app.tell('There is no game to review. Drop a PGN file on the page, or paste one.');
      return;
    }
    const buttons = EFFORTS.map(([name, nodes], index) =>
      h('button', { type: 'button', class: index === 1 ? 'primary' : '', onClick: () => {
        window_.close();
        this.begin(nodes);
      } }, name),
    );
    const window_ = dialog(
      'Review the game',
      h('p', { class: 'hint' }, 'Halcyon looks at every position and tells which moves gave away chances to win. Two hundred moves take from a few seconds to a few minutes.'),
      h('footer', {}, ...buttons),
    );
    buttons[1]?.focus();
  }

  begin(nodes: number): void {
    const { app } = this;
    app.game?.end(null);
    this.line = [app.tree.root, ...app.tree.main()];
    app.reviewing = true;
    app.search = null;
    this.element.hidden = false;
    this.progress(0, this.line.length);
    this.id = app.connection.start({ type: 'review', pgn: pgn(app.tree, app.result(), app.isChess960), nodes });
    app.emit('search', 'game');
  }

  private hear(answer: Answer): void {
    if (!('id' in answer) || answer.id !== this.id) return;
    if (answer.type === 'progress') {
      const move = this.line[answer.ply];
      if (move) move.eval = { score: answer.score, wdl: answer.wdl, depth: 0 };
      this.progress(answer.done, answer.total);
      this.app.emit('tree');
    } else if (answer.type === 'reviewed') {
      this.finish(answer);
    } else if (answer.type === 'error') {
      this.stop();
    }
  }

  private progress(done: number, total: number): void {
    const bar = h('progress', { max: total, value: done, 'aria-label': 'Progress of the review' });
    const stop = h('button', { type: 'button', onClick: () => this.stop() }, icon('stop'), 'Stop');
    replace(this.element, h('div', { class: 'review-progress' }, h('span', {}, `Reviewing: ${done} of ${total} positions`), bar, stop));
  }

  private stop(): void {
    const { app } = this;
    if (!app.reviewing) return;
    this.giveUp();
    app.analyse();
  }

  private giveUp(): void {
    this.id = 0;
    this.app.reviewing = false;
    this.app.stop();
    this.element.hidden = true;
    this.app.emit('game');
  }

  private finish(answer: Answer & { type: 'reviewed' }): void {
    const { app } = this;
    app.reviewing = false;
    const ply = app.tree.path(app.at).length;
    const { game } = answer;
    const start = game.chess960 === null ? { fen: game.start_fen } : { chess960: game.chess960 };
    app.load(start, game.start_fen, game.headers, game.moves);
    const main = app.tree.main();
    for (const [index, judged] of answer.plies.entries()) {
      const move = main[index];
      if (!move) continue;
      move.judged = { loss: judged.loss, judgement: judged.judgement, best: judged.best };
      if (judged.score) move.eval = { score: judged.score, wdl: judged.wdl, depth: judged.depth };
    }
    // The scores have a place of their own.
    for (const move of app.tree.all()) move.comment = move.comment.replace(/\[%eval [^\]]*\]\s*/g, '');
    const root = this.line[0];
    if (root?.eval) app.tree.root.eval = root.eval;
    this.summary(answer);
    app.emit('tree', 'place');
    const at = main[ply - 1];
    if (at) app.go(at);
    else app.save();
  }

  private summary(answer: Answer & { type: 'reviewed' }): void {
    const { headers } = answer.game;
    const side = (name: string, color: string, review: SideReview) => {
      const count = (kind: string, word: string, value: number) =>
        h('button', { type: 'button', class: `count ${kind}`, disabled: value === 0, onClick: () => this.jump(kind, color) }, h('b', {}, value), ` ${word}`);
      return h(
        'div',
        { class: 'side-review' },
        h('div', { class: 'who' }, h('span', { class: `disc ${color}` }), h('strong', {}, name)),
        h('div', { class: 'accuracy' }, review.accuracy === null ? '–' : `${review.accuracy.toFixed(0)}%`, h('small', {}, 'accuracy')),
        count('inaccuracy', review.inaccuracies === 1 ? 'inaccuracy' : 'inaccuracies', review.inaccuracies),
        count('mistake', review.mistakes === 1 ? 'mistake' : 'mistakes', review.mistakes),
        count('blunder', review.blunders === 1 ? 'blunder' : 'blunders', review.blunders),
        h('div', { class: 'loss' }, `${review.average_loss.toFixed(1)}% lost a move`),
      );
    };
    const save = h('button', { type: 'button', onClick: () => download('review.pgn', answer.pgn) }, icon('save'), 'Annotated PGN');
    replace(
      this.element,
      h('div', { class: 'sides' }, side(headers['White'] ?? 'White', 'white', answer.white), side(headers['Black'] ?? 'Black', 'black', answer.black)),
      h('footer', {}, save),
    );
    this.element.hidden = false;
    this.shown = this.app.tree;
  }

  private shown: unknown = null;

  /** Goes to the next move of a kind. */
  private jump(kind: string, color: string): void {
    const moves = this.app.tree.main().filter((move) => move.judged?.judgement === kind && (move.ply % 2 === 1) === (color === 'white'));
    const next = moves.find((move) => move.ply > this.app.at.ply) ?? moves[0];
    if (next) this.app.go(next);
  }

  /** Another game is on the board. */
  private forget(): void {
    if (this.app.reviewing) this.giveUp();
    else if (this.shown !== this.app.tree) this.element.hidden = true;
  }
}
