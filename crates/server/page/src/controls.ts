// The row of buttons under the board, and the keys that do the same.

import type { App } from './app';
import { confirm, h, iconButton, replace } from './dom';
import { canTakeBack, here, phase, shownSearch } from './state';
import { lineThrough, nodeOf, ROOT } from './tree';

export interface Actions {
  newGame(): void;
  share(): void;
  library(): void;
  help(): void;
  review(): void;
  training(): void;
}

export class Controls {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly back: HTMLButtonElement;
  private readonly resign: HTMLButtonElement;
  private readonly draw: HTMLButtonElement;
  private readonly hint: HTMLButtonElement;
  private readonly peek = h('div', { class: 'peek', role: 'status', hidden: true });

  constructor(
    private readonly app: App,
    private readonly actions: Actions,
  ) {
    this.back = iconButton('undo', 'Take back (U)', () => app.dispatch({ type: 'take-back' }));
    this.resign = iconButton('flag', 'Resign', () => void this.askResign());
    this.draw = iconButton('handshake', 'Offer a draw', () => app.dispatch({ type: 'offer-draw' }));
    this.hint = iconButton('hint', 'Hint (I)', () => app.dispatch({ type: 'hint' }));
    this.input = h('input', {
      class: 'type-move',
      type: 'text',
      placeholder: 'Type a move',
      'aria-label': 'Type a move, such as e4, Nf3 or O-O',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      maxlength: '10',
    });
    const form = h('form', { class: 'type' }, this.input);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      if (text) app.dispatch({ type: 'play', text });
      this.input.select();
    });
    this.element = h(
      'div',
      { class: 'controls' },
      h(
        'div',
        { class: 'walk', role: 'group', 'aria-label': 'Walk through the game' },
        iconButton('first', 'To the start (Home)', () => this.start()),
        iconButton('prev', 'Back (←)', () => this.previous()),
        iconButton('next', 'Forward (→)', () => this.next()),
        iconButton('last', 'To the end (End)', () => this.end()),
      ),
      form,
      this.peek,
      h(
        'div',
        { class: 'game-buttons' },
        this.hint,
        this.draw,
        this.resign,
        this.back,
        iconButton('flip', 'Flip board (F)', () => app.dispatch({ type: 'flip' })),
      ),
    );
    app.watch(
      (state) => [state.mode, state.tree],
      () => this.show(),
    );
    app.watch(
      (state) => [state.peek],
      () => {
        const { peek } = app.state;
        form.hidden = peek !== null;
        this.peek.hidden = peek === null;
        const back = h('button', { type: 'button', title: 'Back to the game (Esc)', onClick: () => this.endPeek() }, 'Back to the game');
        if (peek) replace(this.peek, h('span', { title: peek.way }, `Recorded: ${peek.way}`), back);
        else replace(this.peek);
      },
    );
    app.watch(
      (state) => [state.at],
      () => (this.input.value = ''),
    );
    document.addEventListener('keydown', (event) => this.key(event));
  }

  private endPeek(): void {
    this.app.dispatch({ type: 'peek', peek: null });
  }

  private show(): void {
    const { state } = this.app;
    const { mode } = state;
    const playing = mode.kind === 'playing';
    const isUsers = playing && mode.game.color !== null;
    this.back.hidden = !(isUsers || (mode.kind === 'over' && mode.game.color !== null));
    this.back.disabled = !canTakeBack(state);
    this.resign.hidden = !playing;
    this.draw.hidden = !isUsers;
    this.hint.hidden = !isUsers;
    this.hint.disabled = phase(state) !== 'user';
    const label = isUsers ? 'Resign' : 'Stop the game';
    this.resign.title = label;
    this.resign.setAttribute('aria-label', label);
  }

  private async askResign(): Promise<void> {
    const { mode } = this.app.state;
    if (mode.kind !== 'playing') return;
    if (mode.game.color === null || (await confirm('Resign', 'The game ends and counts as lost.', 'Resign')))
      this.app.dispatch({ type: 'resign' });
  }

  private previous(): void {
    const { parent } = here(this.app.state);
    if (parent !== null) this.app.go(parent);
  }

  private next(): void {
    const child = here(this.app.state).children[0];
    if (child !== undefined) this.app.go(child);
  }

  private start(): void {
    this.app.go(ROOT);
  }

  private end(): void {
    const { tree, at } = this.app.state;
    this.app.go(lineThrough(tree, at).at(-1) ?? ROOT);
  }

  /** From one variation to the next. */
  private sibling(by: number): void {
    const { tree, at } = this.app.state;
    const { parent } = here(this.app.state);
    const siblings = parent === null ? [] : nodeOf(tree, parent).children;
    const next = siblings[siblings.indexOf(at) + by];
    if (next !== undefined) this.app.go(next);
  }

  private playBest(): void {
    const search = shownSearch(this.app.state);
    const best = search?.view?.lines[0]?.moves[0];
    if (search && best) this.app.dispatch({ type: 'play-line', search: search.id, steps: [best] });
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    // A closed dialog keeps the focus until the next frame; its keys are for the board already.
    const typing = target.closest('input:not([type=checkbox]), textarea, select, dialog[open]');
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    const { app, actions } = this;
    const { settings } = app.state;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.previous(),
      ArrowRight: () => this.next(),
      ArrowUp: () => this.sibling(-1),
      ArrowDown: () => this.sibling(1),
      Home: () => this.start(),
      End: () => this.end(),
      f: () => app.dispatch({ type: 'flip' }),
      l: () => app.set({ engine: !settings.engine }),
      a: () => app.set({ arrows: !settings.arrows }),
      h: () => app.set({ statistics: !settings.statistics }),
      x: () => app.dispatch({ type: 'threat', on: !app.state.threat }),
      i: () => app.dispatch({ type: 'hint' }),
      ' ': () => this.playBest(),
      u: () => app.dispatch({ type: 'take-back' }),
      n: actions.newGame,
      p: actions.share,
      o: actions.library,
      r: actions.review,
      t: actions.training,
      w: () => void app.why(),
      m: () => this.input.focus(),
      s: () => app.onSay(),
      '?': actions.help,
    };
    if (app.state.peek) keys['Escape'] = () => this.endPeek();
    const act = keys[event.key];
    if (!act) return;
    // A focused button or switch keeps its own key.
    if (event.key === ' ' && target.closest('button, input')) return;
    event.preventDefault();
    act();
  }
}
