// A walk over the page, step by step: what is where, and what it is for.

import type { App } from './app';
import { h, iconButton, replace } from './dom';

interface Stop {
  /** The region; a stop whose region is not on the page is left out. */
  region: string;
  title: string;
  text: string;
}

const STOPS: Stop[] = [
  {
    region: '.holder',
    title: 'The board',
    text: 'Make moves by clicking or dragging, for both sides. Drag with the right mouse button to draw arrows. Games and positions can be pasted or dropped anywhere on the page.',
  },
  { region: '.gauge', title: 'The bar', text: 'What White may expect here. The number is the score in pawns, seen from the better side.' },
  {
    region: '.controls',
    title: 'Below the board',
    text: 'Walk through the game, or type a move. In a game against Halcyon there are also buttons to take back, to resign, to offer a draw and to ask for a hint.',
  },
  {
    region: '.engine',
    title: 'The engine',
    text: 'The best lines that Halcyon has found, with their scores. Click a move to play up to it, point at it to see the position. The switch turns the engine off.',
  },
  {
    region: '.card.game',
    title: 'The game',
    text: 'All moves, variations and comments. Select a move and press the three dots to comment it. “Why not?” asks the coach about it.',
  },
  {
    region: '.explorer',
    title: 'The explorer',
    text: 'What you have played here in the games of your library. You can also open an opening book.',
  },
  {
    region: 'header.top nav',
    title: 'Everything else',
    text: 'Play a game, find your saved games, import and export, have a game reviewed, and train with your own mistakes.',
  },
  {
    region: '[aria-label^="Statistics"]',
    title: 'Inside the search',
    text: 'Opens the statistics of the search, with its recorded tree: what was searched, what was left out, and why.',
  },
  { region: '[aria-label^="Help"]', title: 'Help', text: 'All keys and explanations are here, and so is this tour.' },
];

const GAP = 10;

/** The stops whose regions can be seen, scrolled to or not. */
function visible(): [Stop, HTMLElement][] {
  return STOPS.flatMap((stop): [Stop, HTMLElement][] => {
    const element = document.querySelector<HTMLElement>(stop.region);
    return element && element.getClientRects().length > 0 ? [[stop, element]] : [];
  });
}

/** Walks over the page. Escape ends it, arrows go on and back; that it was seen is remembered. */
export function startTour(app: App): void {
  const stops = visible();
  let index = 0;
  const spot = h('div', { class: 'tour-spot', 'aria-hidden': 'true' });
  const words = h('div', { class: 'tour-words', 'aria-live': 'polite' });
  const back = h('button', { type: 'button', onClick: () => go(-1) }, 'Back');
  const next = h('button', { type: 'button', class: 'primary', onClick: () => go(1) }, 'Next');
  const close = iconButton('close', 'End the tour', () => element.close());
  const count = h('span', { class: 'tour-count' });
  const card = h('div', { class: 'tour-card' }, close, words, h('footer', {}, count, back, next));
  const element = h('dialog', { class: 'tour', 'aria-label': 'Tour' }, spot, card);

  const place = () => {
    const region = stops[index]?.[1].getBoundingClientRect();
    if (!region) return;
    const { style } = spot;
    // Regions larger than the window are lit as far as they can be seen.
    const [top, bottom] = [Math.max(0, region.top - 4), Math.min(innerHeight, region.bottom + 4)];
    const [left, right] = [Math.max(0, region.left - 4), Math.min(innerWidth, region.right + 4)];
    Object.assign(style, { top: `${top}px`, left: `${left}px`, width: `${right - left}px`, height: `${Math.max(0, bottom - top)}px` });
    const { width, height } = card.getBoundingClientRect();
    // Below the region, above it, beside it, or over it: the first that has room.
    const fits = (x: number, y: number) => x >= GAP && y >= GAP && x + width + GAP <= innerWidth && y + height + GAP <= innerHeight;
    const clamp = (value: number, most: number) => Math.min(Math.max(GAP, value), Math.max(GAP, most - GAP));
    const x = clamp(left + (right - left - width) / 2, innerWidth - width);
    const y = clamp(top + (bottom - top - height) / 2, innerHeight - height);
    const places: [number, number][] = [
      [x, bottom + GAP],
      [x, top - height - GAP],
      [right + GAP, y],
      [left - width - GAP, y],
    ];
    const [cardLeft, cardTop] = places.find(([a, b]) => fits(a, b)) ?? [x, clamp(innerHeight, innerHeight - height)];
    Object.assign(card.style, { left: `${cardLeft}px`, top: `${cardTop}px` });
  };
  const show = () => {
    const stop = stops[index];
    if (!stop) return;
    const [{ title, text }, region] = stop;
    replace(words, h('h2', {}, title), h('p', {}, text));
    count.textContent = `${index + 1} of ${stops.length}`;
    back.disabled = index === 0;
    next.textContent = index === stops.length - 1 ? 'Done' : 'Next';
    region.scrollIntoView({ block: 'nearest' });
    place();
  };
  const go = (by: number) => {
    if (index + by >= stops.length) {
      element.close();
      return;
    }
    index = Math.max(0, index + by);
    show();
    next.focus();
  };
  element.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(by);
  });
  window.addEventListener('resize', place);
  element.addEventListener('close', () => {
    window.removeEventListener('resize', place);
    element.remove();
    window.scrollTo({ top: 0 });
  });
  app.set({ toured: true });
  document.body.append(element);
  element.showModal();
  show();
  next.focus();
}

/** What a newcomer is offered where there are no moves yet. */
export function tourOffer(app: App): HTMLElement {
  return h(
    'div',
    { class: 'tour-offer' },
    h('span', {}, 'New here?'),
    h('button', { type: 'button', onClick: () => startTour(app) }, 'What am I looking at?'),
    h('button', { type: 'button', class: 'quiet', onClick: () => app.set({ toured: true }) }, 'No, thanks'),
  );
}
