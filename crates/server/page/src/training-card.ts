// The card of a training: the exercise on the board, what became of the last try, and what to do next.

import type { App } from './app';
import { clauseButtons, difficultyLine, motifChips } from './coach';
import { h, replace } from './dom';
import { remember } from './exercises';
import type { Lesson, Step } from './protocol';
import type { Exercise, Training } from './state';
import { moveNumber, nodeOf } from './tree';

/** What is said about a try, without what gives the answer away. */
function withoutAnswer(lesson: Lesson, tried: Step | null): Lesson {
  return { ...lesson, clauses: lesson.clauses.filter((clause) => clause.passed || clause.line[0]?.uci === tried?.uci) };
}

export class TrainingCard {
  readonly element = h('section', { class: 'card training', 'aria-label': 'Training', hidden: true });
  private results: Training['results'] = [];

  constructor(private readonly app: App) {
    app.watch(
      (state) => [state.mode],
      () => this.show(),
    );
  }

  private show(): void {
    const { mode } = this.app.state;
    document.body.classList.toggle('is-training', mode.kind === 'training');
    this.element.hidden = mode.kind !== 'training';
    if (mode.kind !== 'training') {
      this.results = [];
      return;
    }
    this.record(mode);
    replace(this.element, ...(mode.stage === 'ended' ? this.summary(mode) : this.exercise(mode)));
    if (mode.stage === 'right' || mode.stage === 'shown' || mode.stage === 'ended')
      this.element.querySelector<HTMLElement>('.primary')?.focus({ preventScroll: true });
  }

  /** Keeps how an exercise went, for the next repetition. */
  private record(mode: Training): void {
    const isNew = mode.results.length === this.results.length + 1;
    this.results = mode.results;
    const [grade, exercise] = [mode.results.at(-1), mode.exercises[mode.results.length - 1]];
    if (!isNew || !grade || !exercise) return;
    const { library } = this.app;
    void library
      .memory(exercise.key)
      .then((before) => library.putMemory(remember(exercise.key, before, grade, Date.now())))
      .catch(() => {});
  }

  private button(text: string, act: () => void, kind = ''): HTMLElement {
    return h('button', { type: 'button', class: kind, onClick: act }, text);
  }

  private exercise(mode: Training): HTMLElement[] {
    const exercise = mode.exercises[mode.index];
    if (!exercise) return [];
    const { app } = this;
    const count = `Exercise ${mode.index + 1} of ${mode.exercises.length}`;
    const dots = h(
      'span',
      { class: 'progress-dots', 'aria-hidden': 'true' },
      ...mode.exercises.map((_, index) => h('i', { class: mode.results[index] ?? (index === mode.index ? 'now' : '') })),
    );
    const head = h(
      'header',
      {},
      h('h2', {}, count),
      dots,
      this.button('End', () => app.dispatch({ type: 'end-training' })),
    );
    const where = [exercise.game, exercise.opening].filter(Boolean).join(' · ');
    return [head, h('p', { class: 'hint where' }, where), this.prompt(mode, exercise), ...this.feedback(mode, exercise)];
  }

  /** The move as it was played, with its number. */
  private played(exercise: Exercise): string {
    const { app } = this;
    const { mode, tree } = app.state;
    const ply = mode.kind === 'training' ? nodeOf(tree, mode.position).ply + 1 : 1;
    return `${moveNumber(ply)} ${exercise.played.san}`;
  }

  private prompt(mode: Training, exercise: Exercise): HTMLElement {
    const side = exercise.side === 'white' ? 'White' : 'Black';
    const article = exercise.judgement === 'inaccuracy' ? 'an' : 'a';
    const hint = mode.hinted && mode.stage === 'solving' ? ' The circle marks the piece to move.' : '';
    return h(
      'p',
      { class: 'prompt' },
      h('span', { class: `disc ${exercise.side}` }),
      h(
        'span',
        {},
        h('b', {}, `${side} to move.`),
        ` In the game, ${this.played(exercise)} was ${article} ${exercise.judgement}. Find a better move.${hint}`,
      ),
    );
  }

  private feedback(mode: Training, exercise: Exercise): HTMLElement[] {
    const { app } = this;
    const give = this.button('Show the solution', () => app.dispatch({ type: 'reveal' }));
    const next = this.button(
      mode.index + 1 < mode.exercises.length ? 'Next exercise' : 'Finish',
      () => app.dispatch({ type: 'next-exercise' }),
      'primary',
    );
    switch (mode.stage) {
      case 'solving': {
        const hint = this.button('Hint', () => app.dispatch({ type: 'exercise-hint' }));
        return [difficultyLine(exercise.lesson, false), h('footer', {}, hint, give)];
      }
      case 'checking':
        return [h('p', { class: 'verdict', role: 'status' }, `Checking ${mode.tried?.san ?? ''}…`)];
      case 'wrong': {
        const loss = Math.round(100 * (mode.answer?.loss ?? 0));
        return [
          h(
            'div',
            { class: 'verdict blunder', role: 'status' },
            h('b', {}, `${mode.tried?.san ?? ''} is not it.`),
            ` It gives away ${loss}% of the chance to win.`,
          ),
          ...(mode.answer ? [clauseButtons(app, withoutAnswer(mode.answer, mode.tried), mode.position)] : []),
          h(
            'footer',
            {},
            give,
            this.button('Try again', () => app.dispatch({ type: 'retry' }), 'primary'),
          ),
        ];
      }
      default: {
        const best = exercise.lesson.best[0]?.san ?? '';
        const words = mode.stage === 'right' ? `${mode.tried?.san ?? ''} is right.` : `${best} was the move.`;
        const chips = motifChips(exercise.lesson);
        return [
          h('div', { class: `verdict ${mode.stage === 'right' ? 'fine' : 'mistake'}`, role: 'status' }, h('b', {}, words)),
          h('p', { class: 'hint' }, `Why ${this.played(exercise)} was bad:`),
          clauseButtons(app, exercise.lesson, mode.position),
          ...(chips ? [chips] : []),
          difficultyLine(exercise.lesson),
          h('footer', {}, next),
        ];
      }
    }
  }

  private summary(mode: Training): HTMLElement[] {
    const { app } = this;
    const count = (grade: string) => mode.results.filter((one) => one === grade).length;
    const missed = mode.exercises.filter((_, index) => mode.results[index] === 'again');
    const again = () => {
      app.dispatch({ type: 'end-training' });
      app.dispatch({ type: 'train', exercises: missed });
    };
    const row = (kind: string, text: string) => h('li', {}, h('i', { class: kind }), text);
    return [
      h('header', {}, h('h2', {}, 'Training finished')),
      h(
        'ul',
        { class: 'results' },
        row('good', `${count('good')} of ${mode.results.length} at the first try`),
        row('hard', `${count('hard')} with a hint or at the second try`),
        row('again', `${count('again')} not found`),
      ),
      h('p', { class: 'hint' }, 'They come back when they are about to be forgotten: see Training.'),
      h(
        'footer',
        {},
        ...(missed.length ? [this.button('Repeat what was missed', again)] : []),
        this.button('Back to the board', () => app.dispatch({ type: 'end-training' }), 'primary'),
      ),
    ];
  }
}
