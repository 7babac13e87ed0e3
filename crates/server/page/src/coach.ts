// What the coach says: sentences that can be clicked onto the board, how hard it was, and why.

import type { App } from './app';
import { h } from './dom';
import type { Clause, Lesson, Levels } from './protocol';
import { here, type State } from './state';
import { isMain, nodeOf, type GameNode, type NodeId } from './tree';

/** Moves of a line that are drawn as arrows: more would hide the board. */
const ARROWS = 3;

/** The move that the words are about: the one on the board, or the one whose line is being looked at. */
export function lessonNode(state: State): GameNode | null {
  const { tree, about } = state;
  if (about?.line.includes(state.at)) return tree.nodes[about.node] ?? null;
  for (let node = here(state); node.parent !== null; node = nodeOf(tree, node.parent)) {
    if (node.lesson || node.judged?.judgement) return node;
    if (isMain(tree, node.id)) return null;
    const main = nodeOf(tree, nodeOf(tree, node.parent).children[0] ?? node.id);
    if (main.id !== node.id && main.lesson) return main;
  }
  return null;
}

/** Motifs as labels, without the article that they have in a sentence. */
export function motifLabel(words: string): string {
  const plain = words.replace(/^an? /, '');
  return (plain[0] ?? '').toUpperCase() + plain.slice(1);
}

function counted(count: number): string {
  return count === 1 ? 'one good move' : `${count === 2 ? 'two' : count === 3 ? 'three' : 'four'} good moves`;
}

/** What the levels play, unless that would give a good move away. */
function choicesOf({ asked }: Levels, reveals: boolean): string {
  const words = asked.map(({ elo, moves, finds }) => `${elo}: ${reveals ? moves.join(', ') : finds ? 'found' : 'missed'}`);
  return `What Halcyon plays here at ${words.join('; at ')}`;
}

/** Who finds a good move, or how deep one has to look. Lessons of earlier versions do not know the levels. */
function finders(lesson: Lesson, reveals: boolean): (HTMLElement | null)[] {
  const { depth } = lesson.difficulty;
  const levels = (lesson as Partial<Lesson>).levels ?? null;
  const seen = 'The depth from which on the search prefers the good move';
  if (!levels?.asked.length) return [h('span', { title: seen }, `seen at depth ${depth}`)];
  const choices = choicesOf(levels, reveals);
  if (levels.finds === null) {
    const most = levels.asked.at(-1)?.elo ?? 0;
    return [h('span', { title: `${seen}; no level up to ${most} finds it. ${choices}` }, `needs depth ${depth}`)];
  }
  return [
    h('span', { title: seen }, `seen at depth ${depth}`),
    h('span', { title: choices }, `a player of about ${levels.finds} finds it`),
  ];
}

/** How hard the good moves were to see. `reveals` is false as long as nobody may see them. */
export function difficultyLine(lesson: Lesson, reveals = true): HTMLElement {
  const { difficulty, good, tempting } = lesson;
  const { rating } = difficulty;
  const rounded = Math.max(400, Math.round(rating / 50) * 50);
  return h(
    'p',
    { class: 'difficulty' },
    h(
      'span',
      { title: 'An estimate on the scale of Lichess’s puzzles: people of this rating see it half of the time' },
      `difficulty ${rounded}`,
    ),
    ...finders(lesson, reveals),
    h('span', { title: 'Moves that give away no more than the best one, or hardly more' }, counted(good.length)),
    tempting !== null &&
      tempting > 1 &&
      h('span', { title: 'The search itself preferred the move that was played until then' }, `tempting until depth ${tempting}`),
  );
}

/** The sentences of a lesson. `node` is the position in which the move was made, `about` the move. */
export function clauseButtons(app: App, lesson: Lesson, node: NodeId, about?: NodeId): HTMLElement {
  const point = (clause: Clause) => app.dispatch({ type: 'point', steps: clause.line.slice(clause.point, clause.point + ARROWS) });
  const leave = () => app.dispatch({ type: 'point', steps: [] });
  const button = (clause: Clause) =>
    h(
      'button',
      {
        type: 'button',
        class: 'clause',
        title: clause.passed ? 'Show the threat as an arrow' : 'Show the line that proves it on the board',
        onMouseenter: () => point(clause),
        onFocus: () => point(clause),
        onMouseleave: leave,
        onBlur: leave,
        onClick: () => {
          if (clause.passed) point(clause);
          else
            app.dispatch({
              type: 'add-line',
              node,
              fen: clause.fen,
              steps: clause.line,
              show: clause.point,
              generated: true,
              ...(about === undefined ? {} : { about }),
            });
        },
      },
      clause.text,
    );
  return h('div', { class: 'clauses' }, ...lesson.clauses.map(button));
}

/** The motifs of a lesson. */
export function motifChips({ motifs }: Lesson): HTMLElement | null {
  if (motifs.length === 0) return null;
  return h('p', { class: 'chips' }, ...motifs.map(({ words }) => h('span', { class: 'chip' }, motifLabel(words))));
}
