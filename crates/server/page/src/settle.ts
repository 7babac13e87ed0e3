// Brings the rest in line with what has changed: facts, the game, its clock, the search.

import type { Draft } from './draft';
import { end } from './playing';
import { resourcesOf, sideToMove, timeLeft, type LiveSearch, type Playing } from './state';
import { mainEnd, movesTo, nodeOf, ROOT, type NodeId } from './tree';

/** A hint is deep enough at this depth. */
const HINT_DEPTH = 14;

/** Brings the rest in line with what has changed: facts, the game, its clock, the search. */
export function settle(draft: Draft): void {
  askFacts(draft, draft.state.at);
  const { mode } = draft.state;
  if (mode.kind === 'playing') {
    askFacts(draft, mainEnd(draft.state.tree));
    settleGame(draft, mode);
    return;
  }
  if (mode.kind === 'reviewing' || mode.kind === 'training') {
    if (draft.state.search) draft.set({ search: null });
    return;
  }
  if (draft.state.asking === null) settleAnalysis(draft);
}

function askFacts(draft: Draft, node: NodeId): void {
  const { tree, pending } = draft.state;
  if (!draft.isOpen || nodeOf(tree, node).facts) return;
  if (Object.values(pending).some((one) => one.kind === 'facts' && one.node === node)) return;
  const at = { start: tree.start, moves: movesTo(tree, node) };
  const id = draft.send((id) => ({ type: 'position', id, at }));
  draft.set({ pending: { ...draft.state.pending, [id]: { kind: 'facts', node, failed: false } } });
}

function settleGame(draft: Draft, mode: Playing): void {
  const { tree, settings, hint } = draft.state;
  const last = mainEnd(tree);
  const facts = nodeOf(tree, last).facts;
  if (facts?.outcome) {
    end(draft, mode, facts.outcome);
    settleAnalysis(draft);
    return;
  }
  const side = sideToMove(tree, last);
  let { game, thinking } = mode;
  if (game.hasClock && draft.isOpen && last !== ROOT && game.running?.side !== side) {
    game = { ...game, running: { side, since: draft.now } };
  }
  if (game !== mode.game) draft.setMode({ ...mode, game });
  if (!draft.isOpen) return;
  if (side === game.color) {
    settleHint(draft, hint === last ? last : null);
    return;
  }
  // Without facts the game may be over.
  if (thinking || !facts) return;
  const { elo, increment } = game.setup;
  const clock = { remaining_ms: Math.round(timeLeft(game, side, draft.now)), increment_ms: increment * 1000 };
  const at = { start: tree.start, moves: movesTo(tree, last) };
  const resources = resourcesOf(draft.state);
  const id = draft.send((id) => ({
    type: 'play_move',
    id,
    at,
    statistics: settings.statistics,
    ...(elo ? { elo } : {}),
    ...(resources ? { resources } : {}),
    ...(game.hasClock ? { clock } : game.color === null ? { move_time_ms: 1000 } : {}),
  }));
  thinking = { id, since: draft.now };
  const search: LiveSearch = {
    id,
    node: last,
    purpose: 'move',
    threat: false,
    lines: 1,
    statistics: settings.statistics,
    resources,
    stopped: false,
    view: null,
    isCarried: false,
  };
  draft.set({ search });
  draft.setMode({ kind: 'playing', game, thinking });
}

/** In a game, only a hint is searched while the user thinks. */
function settleHint(draft: Draft, node: NodeId | null): void {
  const { search, tree } = draft.state;
  if (node === null || search?.node !== node || search.purpose !== 'hint') {
    if (search && (search.purpose !== 'move' || !search.stopped)) draft.stopSearch(search.purpose === 'move');
    if (node === null) return;
    const at = { start: tree.start, moves: movesTo(tree, node) };
    const id = draft.send((id) => ({ type: 'analyse', id, at, lines: 1, statistics: false, threat: false }));
    draft.set({
      search: {
        id,
        node,
        purpose: 'hint',
        threat: false,
        lines: 1,
        statistics: false,
        resources: null,
        stopped: false,
        view: null,
        isCarried: false,
      },
    });
    return;
  }
  if (!search.stopped && (search.view?.depth ?? 0) >= HINT_DEPTH) draft.stopSearch(true);
}

function settleAnalysis(draft: Draft): void {
  const { at, tree, settings, search, threat, peek } = draft.state;
  const { lines, statistics } = settings;
  const facts = nodeOf(tree, at).facts;
  const mayThreaten = threat && !facts?.check;
  const wanted = settings.engine && draft.isOpen && facts !== null && !facts.outcome && peek === null;
  const fits = search?.purpose === 'analysis' && search.node === at;
  if (!wanted) {
    // What was found stays in view until the board shows something else.
    if (!fits || facts?.outcome) draft.stopSearch(false);
    else if (search && !search.stopped) draft.stopSearch(true);
    return;
  }
  const resources = resourcesOf(draft.state);
  const isSized = search?.resources?.threads === resources?.threads && search?.resources?.hash === resources?.hash;
  const same = fits && isSized && search.lines === lines && search.statistics === statistics && search.threat === mayThreaten;
  // What an earlier search of the same position has found does not count.
  const own = search?.isCarried ? null : search?.view;
  const isDeep = settings.maxDepth > 0 && (own?.depth ?? 0) >= settings.maxDepth;
  const isLong = settings.maxSeconds > 0 && (own?.time_ms ?? 0) >= settings.maxSeconds * 1000;
  if (same && (isDeep || isLong)) {
    if (!search.stopped) draft.stopSearch(true);
    return;
  }
  const isOver = search?.stopped && search.view && (search.view.state === 'done' || search.view.state === 'idle');
  const hasFailed = search?.stopped && !search.view && search.id !== 0;
  if (same && (!search.stopped || isOver || hasFailed)) return;
  const position = { start: tree.start, moves: movesTo(tree, at) };
  const id = draft.send((id) => ({
    type: 'analyse',
    id,
    at: position,
    lines,
    statistics,
    threat: mayThreaten,
    ...(resources ? { resources } : {}),
  }));
  const view = fits && search.threat === mayThreaten ? search.view : null;
  draft.set({
    search: {
      id,
      node: at,
      purpose: 'analysis',
      threat: mayThreaten,
      lines,
      statistics,
      resources,
      stopped: false,
      view,
      isCarried: view !== null,
    },
  });
}
