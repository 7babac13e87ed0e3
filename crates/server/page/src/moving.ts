// The moves of the user: the server says whether they are legal, those made meanwhile wait for it.

import { makeMove, plainFacts, type Action, type Draft } from './draft';
import type { Facts, Step } from './protocol';
import { here, sideToMove, shownSearch, waitingMoves, type Pending, type State } from './state';
import { tried, whyNotTry } from './training';
import { addMove, has, mainEnd, meansPass, movesTo, type NodeId } from './tree';

/** Why the user cannot move in the position on the board; nothing if he can. */
export function whyNotMove(state: State): string {
  const { mode, tree, at } = state;
  const facts = here(state).facts;
  if (facts?.outcome) return `The game is over here: ${facts.outcome.reason}.`;
  if (mode.kind === 'training') return whyNotTry(mode, at);
  if (mode.kind !== 'playing') return '';
  const end = mainEnd(tree);
  if (mode.game.color === null) return 'Halcyon plays both sides.';
  if (at !== end) return 'Go to the end of the game to make a move.';
  return sideToMove(tree, end) === mode.game.color ? '' : 'It is Halcyon’s move.';
}

/** A move of the user; while the one before it is on its way, it waits for that one. */
export function play(draft: Draft, text: string): void {
  const { state } = draft;
  const waiting = waitingMoves(state);
  if (!waiting) {
    ask(draft, text, []);
    return;
  }
  const [id, { from, text: last, next }] = waiting;
  // A second click is no second move: no piece goes the same way twice in a row.
  if (COORDINATES.test(text) && (next.at(-1) ?? last) === text) return;
  draft.set({ pending: { ...state.pending, [id]: { kind: 'play', from, text: last, next: [...next, text] } } });
}

const COORDINATES = /^[a-h][1-8][a-h][1-8]/;

/** Asks whether a move is legal in the position on the board. */
function ask(draft: Draft, text: string, next: readonly string[]): void {
  const { state } = draft;
  const isOnlyForNotes = meansPass(text) && (state.mode.kind === 'playing' || state.mode.kind === 'training');
  const reason = !draft.isOpen ? 'There is no connection to Halcyon.' : isOnlyForNotes ? 'Nobody may pass in a game.' : whyNotMove(state);
  if (reason) {
    draft.notice(reason);
    return;
  }
  const from = state.at;
  const at = { start: state.tree.start, moves: [...movesTo(state.tree, from), text] };
  const id = draft.send((id) => ({ type: 'position', id, at }));
  draft.set({ pending: { ...draft.state.pending, [id]: { kind: 'play', from, text, next } } });
}

/** The server has said what a move leads to: it is made, and the next one that waits is asked about. */
export function played(draft: Draft, { from, next }: Extract<Pending, { kind: 'play' }>, facts: Facts): void {
  // It may not be the user's move any more.
  if (!facts.last || from !== draft.state.at || whyNotMove(draft.state)) return;
  makeMove(draft, from, facts.last, plainFacts(facts));
  const { mode } = draft.state;
  if (mode.kind === 'training') tried(draft, mode, facts.last);
  const [text, ...rest] = next;
  if (text !== undefined) ask(draft, text, rest);
}

/** Adds the moves of a line; its search must be that of the position on the board. */
export function playLine(draft: Draft, search: number, steps: Step[]): void {
  const { state } = draft;
  const shown = shownSearch(state);
  if (shown?.id !== search || shown.threat) return;
  let { tree, at } = state;
  for (const step of steps) [tree, at] = addMove(tree, at, step);
  draft.set({ tree });
  draft.show(at);
}

/** Adds the moves that lead from a position to one of its recorded search, and shows it. */
export function addLine(draft: Draft, action: Extract<Action, { type: 'add-line' }>): void {
  const { state } = draft;
  // The game may be another one by now.
  if (state.mode.kind === 'playing' || state.tree.nodes[action.node]?.fen !== action.fen) return;
  let { tree } = state;
  let at = action.node;
  let shown = at;
  const line: NodeId[] = [];
  for (const [index, step] of action.steps.entries()) {
    [tree, at] = addMove(tree, at, step, action.generated ? { generated: true } : {});
    line.push(at);
    if (index <= (action.show ?? Infinity)) shown = at;
  }
  draft.set({ tree });
  draft.show(shown);
  if (action.about !== undefined && has(tree, action.about)) draft.set({ about: { node: action.about, line } });
}
