// Single transitions: each state allows some actions and ignores the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Request, Side } from '../src/protocol';
import { DEFAULTS } from '../src/settings';
import { canTakeBack, here, initialState, kept, phase, resultOf, shownSearch, timeLeft, type State } from '../src/state';
import { mainLine, newTree, nodeOf, ROOT } from '../src/tree';
import { update, whyNotMove, type Action, type Effect } from '../src/update';
import { factsOf, FakeServer, stepsOf } from './fake-server';

/** A page with a server that answers at once, or only when it is told to. */
class Page {
  state: State = initialState({ ...DEFAULTS });
  now = 1_000_000;
  sent: Request[] = [];
  notices: string[] = [];
  mail: Answer[] = [];
  private readonly server = new FakeServer(() => 0);

  constructor(private readonly hold: (answer: Answer) => boolean = () => false) {
    this.do({ type: 'link', state: 'open', reason: '' });
  }

  do(action: Action): this {
    const { state, effects } = update(this.state, action, this.now);
    this.state = state;
    for (const effect of effects) this.run(effect);
    return this;
  }

  private run(effect: Effect): void {
    if (effect.type === 'notice') this.notices.push(effect.text);
    if (effect.type === 'later') this.do(effect.action);
    if (effect.type !== 'send') return;
    this.sent.push(effect.request);
    for (const answer of this.server.receive(effect.request)) {
      if (this.hold(answer)) this.mail.push(answer);
      else this.do({ type: 'answer', answer });
    }
  }

  newGame(color: Side | null, minutes = 0, fen?: string, yields = false): this {
    const start = fen ? { fen } : ('usual' as const);
    const facts = factsOf({ start, moves: [] });
    if (typeof facts === 'string') throw new Error(facts);
    const setup = { start, color: 'white' as const, elo: 1500, minutes, increment: 0, yields };
    return this.do({ type: 'new-game', tree: newTree(start, facts.fen), facts, setup, color, date: '2026.01.01' });
  }

  play(...moves: string[]): this {
    for (const text of moves) this.do({ type: 'play', text });
    return this;
  }

  get moves(): string[] {
    return mainLine(this.state.tree).map((id) => nodeOf(this.state.tree, id).san);
  }
}

test('an empty board is analysed, and so is every position that is reached', () => {
  const page = new Page();
  assert.equal(phase(page.state), 'empty');
  assert.ok((shownSearch(page.state)?.view?.lines.length ?? 0) > 0);
  page.play('e4');
  assert.equal(phase(page.state), 'analysing');
  assert.equal(shownSearch(page.state)?.node, page.state.at);
});

test('answers of another search are dropped', () => {
  const page = new Page((answer) => answer.type === 'search');
  const [late] = page.mail;
  page.play('f3', 'e5', 'g4', 'Qh4#');
  assert.equal(here(page.state).facts?.outcome?.reason, 'checkmate');
  for (const answer of [late, ...page.mail]) if (answer) page.do({ type: 'answer', answer });
  assert.equal(page.state.search, null);
  const last = page.sent.at(-1);
  assert.ok(
    last?.type === 'stop' && page.sent.some((request) => request.type === 'analyse' && request.id === last.id),
    'the stop names its search',
  );
});

test('in a game the user moves at its end and on his own move only', () => {
  const page = new Page((answer) => answer.type === 'best').newGame('white');
  assert.equal(phase(page.state), 'user');
  assert.equal(whyNotMove(page.state), '');
  page.play('e4');
  assert.equal(phase(page.state), 'engine');
  page.play('e5');
  assert.deepEqual([page.moves, page.notices], [['e4'], ['It is Halcyon’s move.']]);
  page.do({ type: 'go', node: ROOT }).play('d4');
  assert.equal(page.notices.at(-1), 'Go to the end of the game to make a move.');
  assert.deepEqual(page.moves, ['e4']);
  // The engine's move comes while the user looks elsewhere: the board stays.
  const best = page.mail[0];
  if (best) page.do({ type: 'answer', answer: best }).do({ type: 'answer', answer: best });
  assert.equal(page.moves.length, 2);
  assert.equal(page.state.at, ROOT);
  assert.equal(phase(page.state), 'user');
});

test('the clock runs for the side to move, and not without a connection', () => {
  const page = new Page((answer) => answer.type === 'best').newGame('white', 1);
  const game = () => (page.state.mode.kind === 'playing' ? page.state.mode.game : assert.fail());
  assert.equal(game().running, null);
  page.play('e4');
  assert.equal(game().running?.side, 'black');
  page.now += 10_000;
  page.do({ type: 'link', state: 'lost', reason: '' });
  page.now += 50_000;
  assert.equal(timeLeft(game(), 'black', page.now), 50_000);
  page.do({ type: 'link', state: 'open', reason: '' });
  assert.equal(game().running?.side, 'black');
  page.now += 50_001;
  page.do({ type: 'tick' });
  assert.deepEqual([phase(page.state), resultOf(page.state)], ['over', '1-0']);
  assert.equal(canTakeBack(page.state), false, 'time is not taken back');
});

test('the engine resigns a lost game if it may', () => {
  for (const yields of [true, false]) {
    const page = new Page((answer) => answer.type === 'best').newGame('white', 0, undefined, yields);
    for (const text of ['a3', 'b3', 'c3']) {
      page.play(text);
      const { mode } = page.state;
      if (mode.kind !== 'playing') assert.fail(mode.kind);
      page.state = { ...page.state, mode: { ...mode, game: { ...mode.game, score: 900 } } };
      const best = page.mail.shift();
      if (best?.type !== 'best') assert.fail('no answer');
      page.do({ type: 'answer', answer: { ...best, book: false } });
    }
    assert.deepEqual([phase(page.state), resultOf(page.state)], yields ? ['over', '1-0'] : ['user', '*']);
    assert.equal(page.moves.length, yields ? 5 : 6);
  }
});

test('the engine offers a draw in a dead game, and takes the one it offered', () => {
  const page = new Page((answer) => answer.type === 'best').newGame('white', 0, '4k2r/8/8/8/8/8/8/R3K3 w - - 0 1', true);
  page.play('Ra2');
  const { mode } = page.state;
  if (mode.kind !== 'playing') assert.fail(mode.kind);
  page.state = { ...page.state, mode: { ...mode, game: { ...mode.game, score: 200, dead: 5 } } };
  page.do({ type: 'offer-draw' });
  assert.deepEqual([phase(page.state), resultOf(page.state)], ['over', '1/2-1/2']);
});

test('the engine takes a draw when it stands worse, but not in the first moves', () => {
  for (const [plies, taken] of [
    [4, false],
    [24, true],
  ] as const) {
    const page = new Page().newGame('white');
    while (page.moves.length < plies) page.play(stepsOf(here(page.state).fen)[0]?.uci ?? '');
    const { mode } = page.state;
    if (mode.kind !== 'playing') assert.fail(mode.kind);
    page.state = { ...page.state, mode: { ...mode, game: { ...mode.game, score: 90 } } };
    page.do({ type: 'offer-draw' });
    assert.deepEqual([phase(page.state), resultOf(page.state)], taken ? ['over', '1/2-1/2'] : ['user', '*'], `${plies}`);
  }
});

test('a game that has ended goes on after taking back', () => {
  const page = new Page().newGame('white', 5, '7k/5Q2/6K1/8/8/8/7p/8 w - - 0 1').play('Qg7#');
  assert.deepEqual([phase(page.state), resultOf(page.state)], ['over', '1-0']);
  page.do({ type: 'take-back' });
  assert.deepEqual([phase(page.state), page.moves.length, resultOf(page.state)], ['user', 0, '*']);
});

test('a running game is kept and goes on', () => {
  const page = new Page((answer) => answer.type === 'best').newGame('white', 1).play('d4');
  page.now += 7000;
  const saved = JSON.parse(JSON.stringify(kept(page.state, page.now)));
  const again = new Page();
  again.now = page.now + 1_000_000;
  again.do({ type: 'adopt', kept: saved });
  const { mode } = again.state;
  assert.ok(mode.kind === 'playing');
  assert.equal(again.moves[0], 'd4');
  // The engine was asked again and has answered.
  assert.equal(again.moves.length, 2);
  assert.ok(timeLeft(mode.game, 'black', again.now) <= 53_000);
});

test('what replaces a game can be undone', () => {
  const page = new Page().newGame('white').play('e4');
  const before = page.moves;
  page.do({ type: 'open', tree: newTree({ fen: '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1' }, '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'), label: 'x' });
  assert.equal(phase(page.state), 'analysing');
  page.do({ type: 'undo' });
  assert.deepEqual(page.moves, before);
  assert.equal(page.state.mode.kind, 'playing');
});

test('a review leaves what others have written, and replaces what it has written before', () => {
  const page = new Page().play('e4', 'e5', 'Nf3', 'Nc6');
  const e5 = mainLine(page.state.tree)[1] ?? ROOT;
  page.do({ type: 'annotate', node: e5, fields: { comment: 'mine', nags: [5] } });
  for (let round = 0; round < 3; round++) page.do({ type: 'review', nodes: 1000 });
  const node = nodeOf(page.state.tree, e5);
  assert.deepEqual([node.comment, node.nags], ['mine', [5]]);
  const children = nodeOf(page.state.tree, ROOT).children.map((id) => nodeOf(page.state.tree, id).uci);
  assert.equal(new Set(children).size, children.length);
  assert.ok(page.state.tree.review);
});

test('a recorded position is looked at without the lines of another one, until the board shows something else', () => {
  const page = new Page().play('e4');
  const peek = { fen: '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1', step: null, way: 'the root' };
  const lines = () => shownSearch(page.state)?.view?.lines.length ?? 0;
  assert.ok(lines() > 0);
  page.do({ type: 'peek', peek });
  assert.deepEqual([page.state.peek, lines(), page.state.search?.stopped], [peek, 0, true]);
  assert.equal(page.sent.at(-1)?.type, 'stop');
  page.do({ type: 'flip' }).do({ type: 'tick' });
  assert.equal(page.state.peek, peek);
  page.do({ type: 'go', node: page.state.at });
  assert.equal(page.state.peek, null);
  assert.ok(lines() > 0 && !page.state.search?.stopped, 'the analysis goes on');
  page.do({ type: 'peek', peek }).play('e5');
  assert.deepEqual([page.state.peek, page.moves], [null, ['e4', 'e5']]);
  page.newGame('white').do({ type: 'peek', peek });
  assert.equal(page.state.peek, null, 'a game is played on the board');
});

test('an analysis stops at its limits, and one with more lines begins again', () => {
  for (const limit of [{ maxDepth: 1 }, { maxSeconds: 1 }]) {
    const page = new Page();
    page.do({ type: 'set', settings: limit });
    assert.equal(page.state.search?.stopped, true, JSON.stringify(limit));
    const stops = () => page.sent.filter(({ type }) => type === 'stop').length;
    const before = stops();
    const waits = new Page((answer) => answer.type === 'search' && answer.id > 100);
    waits.do({ type: 'set', settings: limit });
    waits.state = { ...waits.state, nextId: 200 };
    waits.do({ type: 'set', settings: { lines: 5 } }).do({ type: 'tick' });
    assert.equal(waits.state.search?.stopped, false, 'what the search before it has found is no reason to stop');
    page.do({ type: 'tick' });
    assert.equal(stops(), before, 'it is stopped once');
  }
});

test('a game in which the engine cannot move ends, and goes on after an undo', () => {
  const page = new Page((answer) => answer.type === 'best').newGame('white').play('e4');
  const asked = () => page.sent.filter(({ type }) => type === 'play_move');
  const id = asked()[0]?.id ?? 0;
  page.do({ type: 'answer', answer: { type: 'error', id, message: 'no memory' } });
  assert.deepEqual([phase(page.state), page.notices.at(-1), asked().length], ['analysing', 'no memory', 1]);
  page.do({ type: 'undo' });
  assert.deepEqual([phase(page.state), asked().length], ['engine', 2]);
  page.do({ type: 'answer', answer: { type: 'best', id: asked()[1]?.id ?? 0, best: null, book: false } });
  assert.equal(phase(page.state), 'analysing');
});

/** A page whose server says nothing about positions until it is told to. */
function slowPage(): Page {
  return new Page((answer) => answer.type === 'position' || (answer.type === 'error' && answer.id !== null));
}

/** Delivers what the server has to say, until it has nothing more. */
function deliver(page: Page): void {
  for (let answer = page.mail.shift(); answer; answer = page.mail.shift()) page.do({ type: 'answer', answer });
}

test('moves that are made before the first is confirmed are made after it, in their order', () => {
  const page = slowPage();
  deliver(page);
  page.play('e2e4', 'e7e5', 'e7e5', 'g1f3', 'Nc6');
  assert.equal(page.sent.filter((request) => request.type === 'position' && request.at.moves.length > 0).length, 1, 'one is asked about');
  assert.deepEqual(page.moves, []);
  deliver(page);
  assert.deepEqual([page.moves, page.notices], [['e4', 'e5', 'Nf3', 'Nc6'], []]);
  assert.equal(here(page.state).san, 'Nc6');
  assert.deepEqual(page.state.pending, {});
});

test('moves that wait are dropped with the one before them', () => {
  const page = slowPage();
  deliver(page);
  page.play('e2e5', 'e7e5', 'd7d5');
  deliver(page);
  assert.deepEqual([page.moves, page.notices.length], [[], 1]);
  // One in the middle.
  page.play('e2e4', 'e7e4', 'g1f3');
  deliver(page);
  assert.deepEqual([page.moves, page.notices.length], [['e4'], 2]);
});

test('moves that wait are dropped when the board shows something else, or the game is over', () => {
  const page = slowPage();
  deliver(page);
  page.play('e4');
  deliver(page);
  const others: Action[] = [
    { type: 'go', node: ROOT },
    { type: 'open', tree: newTree(), label: 'x' },
    { type: 'link', state: 'lost', reason: '' },
  ];
  for (const action of others) {
    page.play('e7e5', 'g1f3').do(action).do({ type: 'undo' });
    page.do({ type: 'link', state: 'open', reason: '' }).do({ type: 'go', node: 1 });
    deliver(page);
    assert.deepEqual([page.moves, page.state.pending], [['e4'], {}], action.type);
  }
  const game = slowPage().newGame('white');
  deliver(game);
  game.play('e2e4').do({ type: 'resign' });
  deliver(game);
  assert.deepEqual([phase(game.state), game.moves], ['over', []]);
});

test('a move that waits in a game is refused when its turn does not come', () => {
  const page = slowPage().newGame('white');
  deliver(page);
  page.play('e2e4', 'd2d4');
  for (const answer of page.mail.splice(0)) page.do({ type: 'answer', answer });
  assert.deepEqual([page.moves[0], page.moves.includes('d4')], ['e4', false]);
  assert.deepEqual(page.notices, ['It is Halcyon’s move.']);
});

test('an error does not repeat itself', () => {
  const page = new Page().play('e4', 'f5', 'Qh5+');
  const before = page.sent.length;
  page.do({ type: 'threat', on: true });
  assert.ok(page.sent.length <= before + 1);
  page.play('nonsense');
  assert.match(page.notices.at(-1) ?? '', /not a legal move/);
});

test('a side may pass in an analysis, but not in a game', () => {
  const page = new Page().play('e4', '--', 'd4');
  assert.deepEqual(page.moves, ['e4', '--', 'd4']);
  const game = new Page().newGame('white').play('--');
  assert.deepEqual(game.moves, []);
  assert.deepEqual(game.notices, ['Nobody may pass in a game.']);
});
