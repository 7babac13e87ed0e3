// The row of buttons under the board, and the keys that do the same.

import type { App } from './app';
import { h, iconButton } from './dom';

export interface Doors {
  newGame(): void;
  share(): void;
  help(): void;
  review(): void;
}

export class Controls {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly back: HTMLButtonElement;
  private readonly resign: HTMLButtonElement;

  constructor(
    private readonly app: App,
    private readonly doors: Doors,
  ) {
    this.back = iconButton('undo', 'Take back (U)', () => this.takeBack());
    this.resign = iconButton('flag', 'Resign', () => app.game?.resign());
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
      if (!text) return;
      void app.play(text).then((done) => {
        if (done) this.input.value = '';
        else this.input.select();
      });
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
      h('div', { class: 'deeds' }, this.back, this.resign, iconButton('flip', 'Turn the board (F)', () => app.flip())),
    );
    app.on(['game', 'place'], () => this.show());
    document.addEventListener('keydown', (event) => this.key(event));
    this.show();
  }

  private show(): void {
    const playing = this.app.game?.isOn ?? false;
    this.back.hidden = !this.app.game;
    this.back.disabled = this.app.tree.main().length === 0;
    this.resign.hidden = !playing;
  }

  private takeBack(): void {
    this.app.game?.takeBack();
  }

  private previous(): void {
    if (this.app.at.parent) this.app.go(this.app.at.parent);
  }

  private next(): void {
    const child = this.app.at.children[0];
    if (child) this.app.go(child);
  }

  private start(): void {
    this.app.go(this.app.tree.root);
  }

  private end(): void {
    this.app.go(this.app.tree.line(this.app.at).at(-1) ?? this.app.tree.root);
  }

  /** From one variation to the next. */
  private sibling(by: number): void {
    const siblings = this.app.at.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.app.at) + by];
    if (next) this.app.go(next);
  }

  private playBest(): void {
    const best = this.app.search?.lines[0]?.moves[0];
    if (best && !this.app.game?.isOn) this.app.playLine([best]);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const typing = target.closest('input:not([type=checkbox]), textarea, select, dialog');
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    const deeds: Record<string, () => void> = {
      ArrowLeft: () => this.previous(),
      ArrowRight: () => this.next(),
      ArrowUp: () => this.sibling(-1),
      ArrowDown: () => this.sibling(1),
      Home: () => this.start(),
      End: () => this.end(),
      f: () => this.app.flip(),
      l: () => this.app.set('engine', !this.app.settings.engine),
      a: () => this.app.set('arrows', !this.app.settings.arrows),
      h: () => this.app.set('hood', !this.app.settings.hood),
      ' ': () => this.playBest(),
      u: () => this.takeBack(),
      n: () => this.doors.newGame(),
      p: () => this.doors.share(),
      r: () => this.doors.review(),
      m: () => this.input.focus(),
      s: () => this.app.emit('said'),
      '?': () => this.doors.help(),
    };
    const deed = deeds[event.key];
    if (!deed) return;
    // A focused button or switch keeps its own key.
    if (event.key === ' ' && target.closest('button, input')) return;
    event.preventDefault();
    deed();
  }
}
