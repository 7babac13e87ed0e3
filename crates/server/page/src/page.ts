// Puts the page together.

import './style.css';
import { Analysis } from './analysis';
import { App } from './app';
import { Board } from './board';
import { CollectionBar } from './collection';
import { Controls, type Actions } from './controls';
import { newGameDialog, settingsDialog, shareDialog } from './dialogs';
import { h, icon, iconButton, replace } from './dom';
import { Explorer } from './explorer';
import { Graph } from './graph';
import { helpDialog } from './help';
import { libraryDialog } from './library';
import { LiveRegion } from './live';
import { MoveList } from './moves';
import { ReviewCard } from './review';
import { SearchTree } from './searchtree';
import { TrainingCard } from './training-card';
import { trainingDialog } from './training-dialog';
import { Sounds } from './sound';
import { StatisticsDrawer } from './statistics';
import { Strip } from './strips';
import { readText, textOf } from './texts';
import type { Transport } from './transport';

/** Starts the page, with an engine at the other end of the transport. */
export function start(transport: Transport): void {
  const app = new App(transport);
  const reviews = new ReviewCard(app);
  const actions: Actions = {
    newGame: () => newGameDialog(app),
    share: () => shareDialog(app),
    library: () => void libraryDialog(app),
    help: () => helpDialog(app),
    review: () => void reviews.ask(),
    training: () => void trainingDialog(app),
  };
  const controls = new Controls(app, actions);
  const board = new Board(app);
  const explorer = new Explorer(app);
  new Sounds(app);
  const page = h(
    'main',
    {},
    h('div', { class: 'left' }, new Strip(app, 'top').element, board.element, new Strip(app, 'bottom').element, controls.element),
    h(
      'div',
      { class: 'side' },
      new TrainingCard(app).element,
      new Analysis(app).element,
      reviews.element,
      new CollectionBar(app).element,
      new MoveList(app).element,
      explorer.element,
      new Graph(app).element,
    ),
    new StatisticsDrawer(app, new SearchTree(app).element).element,
  );
  document.body.append(header(app, actions), page, messages(app), new LiveRegion(app).element);
  board.refresh();
  takeTexts(app, explorer);
  app.start();
}

function header(app: App, actions: Actions): HTMLElement {
  const link = h('span', { class: 'link', role: 'status' });
  app.watch(
    (state) => [state.link],
    () => {
      const { state, reason } = app.state.link;
      link.dataset['state'] = state;
      link.textContent = state === 'open' ? '' : reason;
      link.title = link.textContent;
    },
  );
  const drawer = iconButton('gauge', 'Statistics of the search (H)', () => app.set({ statistics: !app.state.settings.statistics }));
  app.watch(
    (state) => [state.settings],
    () => {
      drawer.setAttribute('aria-pressed', String(app.state.settings.statistics));
    },
  );
  const button = (name: string, text: string, act: () => void, kind = '') =>
    h('button', { type: 'button', class: kind, title: text, 'aria-label': text, onClick: act }, icon(name), h('span', {}, text));
  return h(
    'header',
    { class: 'top' },
    h('h1', { class: 'brand' }, h('img', { src: 'icon.svg', alt: '', width: 28, height: 28 }), h('span', {}, 'Halcyon')),
    link,
    h(
      'nav',
      { 'aria-label': 'Actions' },
      button('plus', 'New game', actions.newGame, 'primary'),
      button('library', 'Library', actions.library),
      button('share', 'Import and export', actions.share),
      button('review', 'Review', actions.review),
      button('target', 'Training', actions.training),
      drawer,
      iconButton('theme', 'Settings', () => settingsDialog(app)),
      iconButton('help', 'Help (?)', actions.help),
    ),
  );
}

/** Notices, and toasts with an undo. */
function messages(app: App): HTMLElement {
  const notice = h('div', { class: 'notice', role: 'alert', hidden: true });
  const toast = h('div', { class: 'toast', role: 'status', hidden: true });
  app.onMessage = () => {
    notice.hidden = !app.notice;
    replace(notice, app.notice);
    toast.hidden = !app.toast;
    const { toast: shown } = app;
    if (!shown) return;
    const undo = shown.undo ? h('button', { type: 'button', onClick: shown.undo }, 'Undo') : null;
    replace(
      toast,
      h('span', {}, shown.label),
      undo,
      iconButton('close', 'Close', () => app.hideToast()),
    );
  };
  return h('div', { class: 'messages' }, notice, toast);
}

/** Games and books dropped anywhere, and texts pasted outside of fields. */
function takeTexts(app: App, explorer: Explorer): void {
  const take = (text: string) => readText(app, text).catch((error) => app.tell(String((error as Error).message)));
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  for (const name of ['dragleave', 'drop']) document.addEventListener(name, () => document.body.classList.remove('dropping'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file && /\.bin$/i.test(file.name)) void explorer.openFile(file);
    else if (file) void textOf(file).then((text) => take(text));
    else void take(event.dataTransfer?.getData('text') ?? '');
  });
  document.addEventListener('paste', (event) => {
    if ((event.target as HTMLElement).closest?.('input, textarea, dialog')) return;
    const text = event.clipboardData?.getData('text');
    if (text) void take(text);
  });
}
