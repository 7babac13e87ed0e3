// Random walks: thousands of sessions of random actions, with answers that come late, twice or in
// another order. Whatever happens, the state makes sense.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writePgn } from '../src/pgn';
import type { Answer } from '../src/protocol';
import { exercisesOf } from '../src/exercises';
import { DEFAULTS } from '../src/settings';
import {
  here,
  initialState,
  kept,
  phase,
  resultOf,
  shownSearch,
  sideToMove,
  timeLeft,
  waitingMoves,
  type Exercise,
  type Kept,
  type State,
} from '../src/state';
import { fromPgn, mainEnd, newTree, nodeOf, ROOT } from '../src/tree';
import { update, type Action } from '../src/update';
import { factsOf, FakeServer, lessonOf, readPgn, stepOf, stepsOf } from './fake-server';
import { checkTree, checkWaiting, generator, seen, shape } from './soundness';

const WALKS = Number(process.env['HALCYON_WALKS'] ?? 10_000);
const STEPS = 30;

const FENS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1',
  '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1',
  'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1',
  '8/P6k/8/8/8/8/p6K/8 b - - 0 30',
  'rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3',
];

class Walk {
  state: State = initialState({ ...DEFAULTS });
  now = 1_000_000;
  readonly log: string[] = [];
  private readonly random: () => number;
  private readonly server: FakeServer;
  /** Answers on their way, and those that were delivered already. */
  private mail: Answer[] = [];
  private old: Answer[] = [];
  private later: Action[] = [];
  private saved: Kept | null = null;
  private stale: Action | null = null;

  constructor(seed: number) {
    this.random = generator(seed);
    this.server = new FakeServer(this.random);
  }

  private pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)];
  }

  do(action: Action): void {
    this.log.push(
      JSON.stringify(
        action.type === 'answer' ? { answer: action.answer.type, id: 'id' in action.answer ? action.answer.id : null } : action,
      ).slice(0, 150),
    );
    const before = this.state;
    const { state, effects } = update(before, action, this.now);
    this.state = state;
    checkWaiting(before, state, action);
    for (const effect of effects) {
      if (effect.type === 'send') this.mail.push(...this.server.receive(effect.request));
      if (effect.type === 'later') this.later.push(effect.action);
    }
    this.check();
  }

  /** Delivers an answer: the next, any, or one that was delivered before. */
  private deliver(): void {
    const chance = this.random();
    if (chance < 0.1 && this.old.length) {
      this.do({ type: 'answer', answer: this.pick(this.old) as Answer });
      return;
    }
    const index = chance < 0.7 ? 0 : Math.floor(this.random() * this.mail.length);
    const [answer] = this.mail.splice(index, 1);
    if (!answer) return;
    this.old.push(answer);
    this.do({ type: 'answer', answer });
  }

  /** Exercises from random positions of the game. */
  private exercises(nodes: number[]): Exercise[] {
    return [0, 1].flatMap((): Exercise[] => {
      const { fen } = nodeOf(this.state.tree, this.pick(nodes) ?? ROOT);
      const [best, played] = stepsOf(fen);
      const side = fen.split(' ')[1] === 'b' ? 'black' : 'white';
      return best && played
        ? [{ key: fen, before: null, fen, side, played, judgement: 'mistake', lesson: lessonOf(fen, played, best), game: '', opening: '' }]
        : [];
    });
  }

  /** A move that is legal after those that wait for the server, if they are legal themselves. */
  private nextMove(): string | undefined {
    const waiting = waitingMoves(this.state)?.[1];
    let { fen } = here(this.state);
    for (const text of waiting ? [waiting.text, ...waiting.next] : []) fen = stepOf(fen, text)?.fen ?? fen;
    return this.pick(stepsOf(fen))?.uci;
  }

  private action(): Action {
    const { tree } = this.state;
    const nodes = Object.keys(tree.nodes).map(Number);
    const node = this.pick(nodes) ?? ROOT;
    const legal = stepsOf(here(this.state).fen);
    const move = legal[Math.floor(this.random() * Math.min(4, legal.length))];
    const fen = this.pick(FENS) ?? FENS[0] ?? '';
    const start = fen === FENS[0] ? ('usual' as const) : { fen };
    const facts = () => {
      const found = factsOf({ start, moves: [] });
      if (typeof found === 'string') throw new Error(found);
      return found;
    };
    const color = this.pick(['white', 'black', null] as const) ?? null;
    const clock = this.random() < 0.5;
    const setup = { start, color: 'white' as const, elo: 1500, minutes: clock ? 1 : 0, increment: clock ? 2 : 0 };
    const shown = this.state.search?.view?.lines[0]?.moves;
    // A click on a line that was there a moment ago.
    if (shown && this.state.search && this.random() < 0.3) this.stale = { type: 'play-line', search: this.state.search.id, steps: shown };
    const actions: (() => Action)[] = [
      () => ({ type: 'go', node }),
      () => ({ type: 'go', node: this.pick(here(this.state).children) ?? node }),
      () => ({ type: 'go', node: mainEnd(tree) }),
      ...Array.from(
        { length: 6 },
        () => (): Action => ({
          type: 'play',
          text: this.random() < 0.9 ? ((this.random() < 0.5 ? move?.uci : move?.san) ?? 'e4') : 'Zz9',
        }),
      ),
      ...Array.from({ length: 3 }, () => (): Action => ({ type: 'play', text: this.nextMove() ?? 'e4' })),
      () => ({ type: 'play', text: this.pick(['--', 'Z0']) ?? '--' }),
      () => ({ type: 'play-line', search: this.state.search?.id ?? 0, steps: shown ?? [] }),
      () => this.stale ?? { type: 'tick' },
      () => {
        const { fen } = nodeOf(tree, node);
        const first = stepsOf(fen)[0];
        return { type: 'add-line', node: this.pick(nodes) ?? node, fen, steps: first ? [first] : [], about: node };
      },
      () => ({ type: 'open', tree: newTree(start, fen), label: 'x' }),
      () => ({ type: 'new-game', tree: newTree(start, fen), facts: facts(), setup, color, date: '2026.01.01' }),
      () => ({
        type: 'new-game',
        tree: newTree(),
        facts: factsOf({ start: 'usual', moves: [] }) as never,
        setup: { ...setup, start: 'usual' },
        color: color ?? 'white',
        date: '2026.01.01',
      }),
      () => this.pick(this.later) ?? { type: 'tick' },
      () => ({ type: 'take-back' }),
      () => ({ type: 'resign' }),
      () => ({ type: 'abandon' }),
      () => ({ type: 'offer-draw' }),
      () => ({ type: 'hint' }),
      () => ({ type: 'tick' }),
      () => ({ type: 'review', nodes: 1000 }),
      () => ({ type: 'review', nodes: 1000 }),
      () => ({ type: 'stop-review' }),
      () => ({ type: 'train', exercises: exercisesOf(tree, {}) }),
      () => ({ type: 'train', exercises: this.exercises(nodes) }),
      () => ({ type: 'retry' }),
      () => ({ type: 'reveal' }),
      () => ({ type: 'exercise-hint' }),
      () => ({ type: 'next-exercise' }),
      () => ({ type: 'next-exercise' }),
      () => (this.random() < 0.3 ? { type: 'end-training' } : { type: 'retry' }),
      () => ({ type: 'point', steps: legal.slice(0, 1) }),
      () => ({ type: 'peek', peek: { fen, step: null, way: 'the root' } }),
      () => ({ type: 'peek', peek: null }),
      () => ({ type: 'promote', node }),
      () => ({ type: 'delete', node }),
      () => ({
        type: 'annotate',
        node,
        fields: { comment: this.pick(['good', 'a } brace', '[Event "x"]', '%x ; y', 'long '.repeat(30)]) ?? '' },
      }),
      () => ({
        type: 'annotate',
        node,
        fields: {
          nags: [this.pick([1, 2, 3, 4, 5, 6, 14]) ?? 1],
          shapes: [{ color: 'G', from: 'e2', to: this.random() < 0.5 ? 'e4' : null }],
        },
      }),
      () => ({ type: 'headers', headers: { White: this.pick(['Anna "A"', 'Back\\slash', 'new\nline']) ?? '' } }),
      () => ({ type: 'flip' }),
      () => ({ type: 'threat', on: this.random() < 0.5 }),
      () => ({ type: 'set', settings: { engine: this.random() < 0.7 } }),
      () => ({ type: 'set', settings: { maxDepth: this.pick([0, 0, 3]) ?? 0, maxSeconds: this.pick([0, 0, 1]) ?? 0 } }),
      () => ({ type: 'set', settings: { lines: 1 + Math.floor(this.random() * 5) } }),
      () => ({ type: 'undo' }),
      () => ({ type: 'asking', node }),
      () => ({ type: 'asking', node: null }),
      () => ({ type: 'asking', node: null }),
      () => ({ type: 'link', state: 'lost', reason: '' }),
      () => ({ type: 'link', state: 'open', reason: '' }),
      () => ({ type: 'link', state: 'open', reason: '' }),
      () => {
        this.saved = JSON.parse(JSON.stringify(kept(this.state, this.now))) as Kept;
        return { type: 'tick' };
      },
      () => (this.saved ? { type: 'adopt', kept: this.saved } : { type: 'tick' }),
    ];
    return (this.pick(actions) ?? actions[0])?.() as Action;
  }

  step(): void {
    this.now += Math.floor(this.random() * (this.random() < 0.05 ? 40_000 : 900));
    const chance = this.random();
    if (chance < 0.45 && this.mail.length + this.old.length) this.deliver();
    else if (chance < 0.55 && this.later.length) this.do(this.later.shift() as Action);
    else this.do(this.action());
  }

  /** Everything arrives in order; nothing may be left waiting. */
  drain(): void {
    this.do({ type: 'link', state: 'lost', reason: '' });
    this.mail = [];
    this.do({ type: 'set', settings: { engine: true, maxDepth: 0, maxSeconds: 0 } });
    this.do({ type: 'threat', on: false });
    this.do({ type: 'peek', peek: null });
    this.do({ type: 'asking', node: null });
    this.do({ type: 'link', state: 'open', reason: '' });
    for (let rounds = 0; rounds < 400 && (this.mail.length || this.later.length); rounds++) {
      const answer = this.mail.shift();
      if (answer) this.do({ type: 'answer', answer });
      else this.do(this.later.shift() as Action);
      // A game of the engine against itself has no end in view.
      if (this.state.mode.kind === 'playing' && this.state.mode.game.color === null) this.do({ type: 'resign' });
    }
    const waiting = this.state.mode;
    assert.ok(waiting.kind !== 'training' || waiting.stage !== 'checking', 'a try without an answer');
    const now = phase(this.state);
    assert.ok(now !== 'engine' && now !== 'reviewing', `still ${now}`);
    assert.ok(Object.values(this.state.pending).length === 0, 'questions without an answer');
    const outcome = here(this.state).facts?.outcome;
    if (now !== 'user' && now !== 'training' && !outcome)
      assert.ok((shownSearch(this.state)?.view?.lines.length ?? 0) > 0, 'the position is analysed');
    if (outcome) assert.equal(shownSearch(this.state), null);
  }

  check(): void {
    const { state } = this;
    checkTree(state.tree);
    assert.ok(state.tree.nodes[state.at], 'the board shows a position of the game');
    assert.ok(!state.about || state.about.line.length === 0 || state.about.line.includes(state.at), 'what is said belongs to the line');
    this.checkClock();
    if (state.peek) {
      assert.ok(state.mode.kind === 'analysing' || state.mode.kind === 'over', 'recorded positions are looked at in an analysis');
      assert.equal(shownSearch(state), null, 'no lines beside a position that they do not belong to');
    }
    const search = shownSearch(state);
    const { fen, facts } = here(state);
    if (facts?.outcome) assert.equal(search, null, 'no lines where the game is over');
    for (const line of search?.view?.lines ?? []) {
      const first = line.moves[0];
      if (!first || search?.threat) continue;
      assert.equal(stepOf(fen, first.uci)?.fen, first.fen, 'a line of another position is shown');
    }
    if (state.mode.kind === 'training') {
      const { mode } = state;
      assert.equal(state.search, null, 'no search in a training');
      assert.equal(nodeOf(state.tree, mode.position).fen, mode.exercises[mode.index]?.fen, 'the exercise is on the board');
      const done = mode.stage === 'right' || mode.stage === 'shown' || mode.stage === 'ended';
      assert.equal(mode.results.length, mode.index + (done ? 1 : 0), 'one result for each exercise');
      assert.equal(mode.asked !== null, mode.stage === 'checking');
      checkTree(mode.back.tree);
      assert.ok(mode.back.tree.nodes[mode.back.at], 'the board waits');
      assert.deepEqual(kept(state, this.now).at, mode.back.at, 'what is kept is the board, not the exercise');
    }
    if (state.mode.kind === 'playing') {
      assert.notEqual(state.search?.purpose, 'analysis', 'no analysis in a game');
      assert.ok(state.search === null || state.search.purpose !== 'hint' || state.mode.game.color !== null);
      if (state.mode.thinking)
        assert.notEqual(sideToMove(state.tree, mainEnd(state.tree)), state.mode.game.color, 'the engine thinks on its own move only');
    }
  }

  private checkClock(): void {
    const { mode, tree, link } = this.state;
    const game = mode.kind === 'playing' || mode.kind === 'over' ? mode.game : null;
    if (!game) return;
    for (const side of ['white', 'black'] as const) assert.ok(timeLeft(game, side, this.now) >= 0 && Number.isFinite(game.left[side]));
    if (mode.kind !== 'playing' || !game.hasClock || link.state !== 'open') {
      assert.equal(game.running, null, 'no clock runs');
      return;
    }
    const end = mainEnd(tree);
    if (end === ROOT) assert.equal(game.running, null, 'clocks start with the first move');
    else assert.equal(game.running?.side, sideToMove(tree, end), 'the clock of the side to move runs');
  }

  /** What is exported is the same game when another program reads it. */
  checkPgn(): void {
    const { tree } = this.state;
    const text = writePgn(tree, resultOf(this.state));
    const again = fromPgn(readPgn(text));
    assert.deepEqual(shape(again, ROOT), shape(tree, ROOT), text);
    assert.equal(again.startFen.split(' ').slice(0, 3).join(' '), tree.startFen.split(' ').slice(0, 3).join(' '));
    assert.equal(writePgn(again, resultOf(this.state)), text, 'written twice');
  }
}

test(`${WALKS} random walks keep the state sound`, () => {
  const phases = new Set<string>();
  for (let seed = 1; seed <= WALKS; seed++) {
    const walk = new Walk(seed);
    try {
      walk.do({ type: 'link', state: 'open', reason: '' });
      for (let step = 0; step < STEPS; step++) {
        walk.step();
        phases.add(phase(walk.state));
      }
      walk.checkPgn();
      walk.drain();
    } catch (error) {
      console.log(`walk ${seed}:\n${walk.log.join('\n')}`);
      throw error;
    }
  }
  // The walks have been everywhere.
  assert.ok(seen.most > 1 && seen.followed > WALKS / 20, JSON.stringify(seen));
  assert.deepEqual([...phases].sort(), ['analysing', 'empty', 'engine', 'over', 'reviewing', 'training', 'user']);
});
