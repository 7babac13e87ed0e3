// The transitions of a training: exercises from one's own games, one after the other.

import type { Draft } from './draft';
import type { Lesson, Step } from './protocol';
import { underlying, type Exercise, type Grade, type Training } from './state';
import { addMove, movesTo, newTree, ROOT } from './tree';

/** Nodes for each search that judges a try. */
const NODES = 20_000;
/** A try that gives away less is as good as the best move: it would be no inaccuracy. */
const GOOD_LOSS = 0.05;

export function startTraining(draft: Draft, exercises: readonly Exercise[]): void {
  const { mode } = draft.state;
  if ((mode.kind !== 'analysing' && mode.kind !== 'over') || exercises.length === 0) return;
  load(draft, exercises, 0, [], underlying(draft.state, draft.now));
}

/** Puts an exercise on the board. */
function load(draft: Draft, exercises: readonly Exercise[], index: number, results: readonly Grade[], back: Training['back']): void {
  const exercise = exercises[index];
  if (!exercise) return;
  const start = exercise.before?.fen ?? exercise.fen;
  let tree = newTree({ fen: start }, start);
  let position = ROOT;
  if (exercise.before) [tree, position] = addMove(tree, ROOT, exercise.before.move);
  draft.stopSearch(false);
  draft.set({ tree, at: position, orientation: exercise.side, pending: {}, threat: false, hint: null, pointed: [], about: null });
  const fresh = { stage: 'solving' as const, asked: null, answer: null, tried: null, tries: 0, hinted: false };
  draft.setMode({ kind: 'training', exercises, index, position, ...fresh, results, back });
}

/** Why the user cannot move in a training; nothing if he can. */
export function whyNotTry({ stage, position }: Training, at: number): string {
  if (stage === 'checking') return 'The move is being checked.';
  if (stage !== 'solving' && stage !== 'wrong') return 'This exercise is done: go on to the next one.';
  return at === position ? '' : 'Go back to the position of the exercise to try again.';
}

/** A move was made in the position of the exercise. */
export function tried(draft: Draft, mode: Training, step: Step): void {
  const exercise = mode.exercises[mode.index];
  if (!exercise) return;
  if (step.san.endsWith('#') || exercise.lesson.good.some((good) => good.uci === step.uci)) {
    solved(draft, { ...mode, tried: step });
    return;
  }
  const { tree } = draft.state;
  const at = { start: tree.start, moves: movesTo(tree, mode.position) };
  const asked = draft.send((id) => ({ type: 'explain', id, at, mv: step.uci, nodes: NODES }));
  draft.setMode({ ...mode, stage: 'checking', asked, tried: step, answer: null });
}

function solved(draft: Draft, mode: Training): void {
  const grade: Grade = mode.tries > 1 ? 'again' : mode.tries === 1 || mode.hinted ? 'hard' : 'good';
  draft.setMode({ ...mode, stage: 'right', asked: null, answer: null, results: [...mode.results, grade] });
}

/** The engine has judged a try. */
export function judged(draft: Draft, id: number, lesson: Lesson): void {
  const { mode } = draft.state;
  if (mode.kind !== 'training' || mode.asked !== id) return;
  if (lesson.loss < GOOD_LOSS) solved(draft, mode);
  else draft.setMode({ ...mode, stage: 'wrong', asked: null, answer: lesson, tries: mode.tries + 1 });
}

/** Back to the position, to try another move. */
export function retry(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind !== 'training' || (mode.stage !== 'wrong' && mode.stage !== 'checking')) return;
  draft.show(mode.position);
  draft.setMode({ ...mode, stage: 'solving', asked: null, answer: null, tried: null });
}

/** Shows the best line instead of solving. */
export function reveal(draft: Draft): void {
  const { mode } = draft.state;
  const lesson = mode.kind === 'training' ? mode.exercises[mode.index]?.lesson : undefined;
  if (mode.kind !== 'training' || !lesson || (mode.stage !== 'solving' && mode.stage !== 'wrong')) return;
  let { tree } = draft.state;
  let at = mode.position;
  let first = at;
  for (const [index, step] of lesson.best.entries()) {
    [tree, at] = addMove(tree, at, step, { generated: true });
    if (index === 0) first = at;
  }
  draft.set({ tree });
  draft.show(first);
  draft.setMode({ ...mode, stage: 'shown', asked: null, answer: null, tried: null, results: [...mode.results, 'again'] });
}

export function nextExercise(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind !== 'training' || (mode.stage !== 'right' && mode.stage !== 'shown')) return;
  if (mode.index + 1 < mode.exercises.length) load(draft, mode.exercises, mode.index + 1, mode.results, mode.back);
  else draft.setMode({ ...mode, stage: 'ended' });
}

/** Brings the board back as it was. */
export function endTraining(draft: Draft): void {
  const { mode } = draft.state;
  if (mode.kind !== 'training') return;
  draft.set({ ...mode.back, pending: {}, search: null, threat: false, hint: null, pointed: [], about: null });
}
