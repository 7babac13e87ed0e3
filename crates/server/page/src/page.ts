// Puts the page together.

import './style.css';
import { Analysis } from './analysis';
import { App } from './app';
import { Board } from './board';
import type { Carrier } from './carrier';
import { Controls, type Doors } from './controls';
import { helpDialog, newGameDialog, shareDialog } from './dialogs';
import { h, icon, iconButton, replace } from './dom';
import { Graph } from './graph';
import { HoodPanel } from './hood';
import { MoveList } from './moves';
import { ReviewCard } from './review';
import { Said } from './said';
import { SearchTree } from './searchtree';
import type { Settings } from './settings';
import { Strip } from './strips';
import { readText, textOf } from './texts';

/** Begins, with an engine at the other end of `carrier`. */
export function start(carrier: Carrier): void {
  const app = new App(carrier);

  const doors: Doors = {
    newGame: () => newGameDialog(app),
    share: () => shareDialog(app),
    help: () => helpDialog(app),
    review: () => reviews.ask(),
  };
  const reviews = new ReviewCard(app);

  function header(): HTMLElement {
    const link = h('span', { class: 'link', role: 'status' });
    app.on(['link'], () => {
      link.dataset['state'] = app.link.state;
      link.textContent = app.link.state === 'open' ? '' : app.link.reason;
    });
    const themes: Settings['theme'][] = ['system', 'dark', 'light'];
    const theme = iconButton('theme', 'Dark, light or as the system', () => {
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      const shown = app.settings.theme === 'system' ? (dark ? 'dark' : 'light') : app.settings.theme;
      app.set('theme', themes[shown === 'dark' ? 2 : 1] ?? 'system');
    });
    const hood = iconButton('hood', 'Under the hood (H)', () => app.set('hood', !app.settings.hood));
    const button = (name: string, text: string, act: () => void, kind = '') =>
      h('button', { type: 'button', class: kind, onClick: act }, icon(name), h('span', {}, text));
    return h(
      'header',
      { class: 'top' },
      h('a', { class: 'brand', href: './', title: 'Halcyon' }, logo(), h('span', {}, 'Halcyon')),
      link,
      h('nav', {}, button('plus', 'New game', doors.newGame, 'primary'), button('share', 'Import / export', doors.share), button('review', 'Review', doors.review), hood, theme, iconButton('help', 'Keys (?)', doors.help)),
    );
  }

  function logo(): HTMLElement {
    return h('img', { src: 'icon.svg', alt: '', width: 28, height: 28 });
  }

  function notice(): HTMLElement {
    const element = h('div', { class: 'notice', role: 'alert', hidden: true });
    app.on(['link'], () => {
      element.hidden = !app.notice;
      replace(element, app.notice);
    });
    return element;
  }

  /** Files dropped anywhere, and texts pasted outside of fields. */
  function takeTexts(): void {
    const take = (text: string) => readText(app, text).catch((error) => app.tell(String((error as Error).message)));
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    for (const name of ['dragleave', 'drop']) document.addEventListener(name, () => document.body.classList.remove('dropping'));
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void textOf(file).then(take);
      else void take(event.dataTransfer?.getData('text') ?? '');
    });
    document.addEventListener('paste', (event) => {
      if ((event.target as HTMLElement).closest?.('input, textarea')) return;
      const text = event.clipboardData?.getData('text');
      if (text) void take(text);
    });
  }

  const controls = new Controls(app, doors);
  const page = h(
    'main',
    {},
    h('div', { class: 'left' }, new Strip(app, 'top').element, new Board(app).element, new Strip(app, 'bottom').element, controls.element),
    h('div', { class: 'side' }, new Analysis(app).element, reviews.element, new MoveList(app).element, new Graph(app).element),
    new HoodPanel(app, new SearchTree(app).element).element,
  );
  document.body.append(header(), page, notice(), new Said(app).element);
  takeTexts();
  app.begin();
  app.emit('place', 'tree', 'search', 'settings', 'link', 'game', 'board');
}
