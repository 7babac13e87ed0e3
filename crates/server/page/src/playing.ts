// The transitions of a game against the engine.

import { makeMove, open, type Action, type Draft } from './draft';
import { canTakeBack, frozen, levelName, other, sideToMove, timeLeft, type Game, type Playing } from './state';
import { mainEnd, mainLine, nodeOf, remove } from './tree';
import type { Ending, Step } from './protocol';

export function newGame(draft: Draft, action: Extract<Action, { type: 'new-game' }>): void {
  const { setup, color } = action;
  const level = levelName(setup.elo);
  const headers = {
    Event: 'Game against Halcyon',
    Site: '?',
    Date: action.date,
    White: color === 'white' ? 'You' : level,
    Black: color === 'black' ? 'You' : level,
  };
  open(draft, { type: 'open', tree: { ...action.tree, headers }, facts: action.facts, label: 'A new game has replaced the old one' });
  const start = Math.max(setup.minutes * 60, setup.increment) * 1000;
  const game: Game = {
    color,
    setup,
    hasClock: setup.minutes > 0 || setup.increment > 0,
    left: { white: start, black: start },
    running: null,
    fromBook: false,
    score: null,
  };
  draft.set({ orientation: color ?? 'white', mode: { kind: 'playing', game, thinking: null } });
}

/** A person resigns when a rook down or worse, and has had time to see it. */
const LOST_SCORE = -700;
const LOST_MOVES = 3;
/** A draw is offered late in a game in which nothing has happened for some moves. */
const DEAD_SCORE = 10;
const DEAD_MOVES = 5;
const DEAD_FROM = 70;
/** An offer is taken with these scores and from these half-moves on. */
const WORSE_SCORE = -50;
const WORSE_FROM = 20;
const LEVEL_SCORE = 15;
const LEVEL_FROM = 60;

/** The engine's last score from its own side. */
function ownScore({ score, color }: Game): number | null {
  return score === null ? null : color === 'black' ? score : -score;
}

export function engineMove(draft: Draft, id: number, step: Step, book: boolean): void {
  const { mode, tree } = draft.state;
  if (mode.kind !== 'playing' || mode.thinking?.id !== id) return;
  const { game } = mode;
  const own = book ? null : ownScore(game);
  const lost = own !== null && own <= LOST_SCORE ? (game.lost ?? 0) + 1 : 0;
  const isLate = mainLine(tree).length >= DEAD_FROM;
  const dead = isLate && own !== null && Math.abs(own) <= DEAD_SCORE ? (game.dead ?? 0) + 1 : 0;
  const yields = game.setup.yields === true && game.color !== null;
  if (yields && lost >= LOST_MOVES) {
    end(draft, mode, { result: game.color === 'white' ? '1-0' : '0-1', reason: 'Halcyon resigned' });
    return;
  }
  draft.setMode({ ...mode, game: { ...game, fromBook: book, lost, dead }, thinking: null });
  makeMove(draft, mainEnd(tree), step, null);
  if (yields && dead === DEAD_MOVES && draft.state.mode.kind === 'playing') {
    draft.notice('Halcyon offers a draw. Offer one yourself to accept.');
  }
}

export function takeBack(draft: Draft): void {
  const { state } = draft;
  const { mode, tree } = state;
  if ((mode.kind !== 'playing' && mode.kind !== 'over') || !canTakeBack(state)) return;
  const own = mainLine(tree).findLast((id) => other(sideToMove(tree, id)) === mode.game.color);
  const to = own === undefined ? null : nodeOf(tree, own).parent;
  if (own === undefined || to === null) return;
  const { Result: _, ...headers } = tree.headers;
  draft.stopSearch(false);
  draft.set({ tree: { ...remove(tree, own), headers }, hint: null });
  draft.show(to);
  const running =
    mode.kind === 'playing' ? frozen(mode, draft.now) : { kind: 'playing' as const, game: { ...mode.game, running: null }, thinking: null };
  draft.setMode(running);
}

export function end(draft: Draft, mode: Playing, ending: Ending): void {
  const kept = frozen(mode, draft.now);
  const game = kept.kind === 'playing' ? kept.game : mode.game;
  draft.stopSearch(false);
  draft.set({ hint: null });
  draft.setMode({ kind: 'over', game, ending });
  draft.set({ tree: { ...draft.state.tree, headers: { ...draft.state.tree.headers, Result: ending.result } } });
}

export function resign(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind !== 'playing') return;
  const { color } = mode.game;
  if (color === null) abandon(draft);
  else end(draft, mode, { result: color === 'white' ? '0-1' : '1-0', reason: 'you resigned' });
}

/** Ends a game without a result. */
export function abandon(draft: Draft): void {
  if (draft.state.mode.kind !== 'playing') return;
  draft.stopSearch(false);
  draft.set({ mode: { kind: 'analysing' }, hint: null });
}

/** The engine takes a draw when it stands worse, or when a long game is level; nobody takes one in the first moves. */
export function offerDraw(draft: Draft): void {
  const { mode, tree } = draft.state;
  if (mode.kind !== 'playing' || mode.game.color === null) return;
  const own = ownScore(mode.game);
  const plies = mainLine(tree).length;
  const isWorse = own !== null && own <= WORSE_SCORE && plies >= WORSE_FROM;
  const isLevel = own !== null && own <= LEVEL_SCORE && plies >= LEVEL_FROM;
  const wasOffered = mode.game.setup.yields === true && (mode.game.dead ?? 0) >= DEAD_MOVES;
  if (wasOffered || isWorse || isLevel) end(draft, mode, { result: '1/2-1/2', reason: 'draw agreed' });
  else draft.notice('Halcyon declines the draw.');
}

export function tick(draft: Draft): void {
  const { mode, tree } = draft.state;
  if (mode.kind !== 'playing' || !mode.game.running) return;
  const { side } = mode.game.running;
  if (timeLeft(mode.game, side, draft.now) > 0) return;
  const winner = other(side);
  // A bare king cannot win.
  const placement = nodeOf(tree, mainEnd(tree)).fen.split(' ')[0] ?? '';
  const pieces = placement
    .replace(/[^a-z]/gi, '')
    .split('')
    .filter((piece) => (piece === piece.toUpperCase()) === (winner === 'white'));
  const reason = mode.game.color === null ? 'time is up' : side === mode.game.color ? 'your time is up' : 'Halcyon’s time is up';
  const result = pieces.length === 1 ? '1/2-1/2' : winner === 'white' ? '1-0' : '0-1';
  end(draft, mode, { result, reason: pieces.length === 1 ? `${reason}, but a bare king cannot win` : reason });
}
