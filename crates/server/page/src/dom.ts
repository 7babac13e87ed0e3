// Small helpers to make elements.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

function fill(element: Element, props: Props, children: Child[]): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) {
      element.addEventListener(key.slice(2).toLowerCase(), value as EventListener);
    } else if (value === true) {
      element.setAttribute(key, '');
    } else {
      element.setAttribute(key, String(value));
    }
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === 'number' ? String(child) : child);
  }
}

/** An element with attributes, listeners (`onClick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

/** The same for drawings. */
export function s(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, props, children);
  return element;
}

const ICONS: Record<string, string> = {
  first: 'M6 5v14M19 5l-9 7 9 7z',
  prev: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  flip: 'M7 4v15m0 0-3-3m3 3 3-3M17 20V5m0 0-3 3m3-3 3 3',
  plus: 'M12 5v14M5 12h14',
  undo: 'M9 7H15a5 5 0 0 1 0 10H7M9 7l3-3M9 7l3 3',
  share: 'M4 14v5h16v-5M12 15V4m0 0L8 8m4-4 4 4',
  theme: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  save: 'M12 4v11m0 0-4-4m4 4 4-4M4 19h16',
  close: 'M6 6l12 12M18 6 6 18',
  dice: 'M5 5h14v14H5zM9 9h.01M15 15h.01M12 12h.01',
  review: 'M4 19V5m0 14h16M8 15l3-5 3 3 5-7',
  target: 'M12 4a8 8 0 1 0 8 8M12 8a4 4 0 1 0 4 4M12 12l7-7M15 5h4v4',
  gauge: 'M4 13a8 8 0 0 1 16 0M12 13l4-4M4 17h16',
  library: 'M5 4v16M9 4v16M13 5l5 15',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  hint: 'M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-1 1-1 2-1 2H9s0-1-1-2z',
  handshake: 'M3 12l4-4 5 3 5-3 4 4-6 6-3-2-3 2z',
  threat: 'M12 3 2 20h20zM12 10v4M12 17v.5',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  sound: 'M4 10v4h4l5 4V6l-5 4zM16 9a4 4 0 0 1 0 6',
  leaf: 'M12 3 21 12 12 21 3 12z',
  open: 'M9 6l6 6-6 6',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  stop: 'M7 7h10v10H7z',
};

/** A small drawing, hidden from screen readers. */
export function icon(name: string): SVGElement {
  const path = s('path', { d: ICONS[name] ?? '' });
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, path);
}

/** A button with a drawing, named for screen readers and as a tip. */
export function iconButton(name: string, label: string, onClick: () => void): HTMLButtonElement {
  return h('button', { class: 'icon-button', type: 'button', title: label, 'aria-label': label, onClick }, icon(name));
}

/** A dialog with a title that Escape or a click outside closes. */
export function dialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const close = iconButton('close', 'Close', () => element.close());
  const body = h('div', { class: 'dialog-body' }, ...content);
  const element = h('dialog', { 'aria-label': title }, h('header', {}, h('h2', {}, title), close), body);
  element.addEventListener('click', (event) => {
    if (event.target === element) element.close();
  });
  element.addEventListener('close', () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

/** Replaces the children of an element. */
export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  fill(element, {}, children);
}

/** A piece, drawn by the style sheet of the board. */
export function pieceElement(role: string, color: string): HTMLElement {
  const piece = document.createElement('piece');
  piece.className = `${role} ${color}`;
  return piece;
}

/** Asks before something is lost; resolves to whether to go on. */
export function confirm(title: string, text: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (value: boolean) => {
      resolve(value);
      element.close();
    };
    const go = h('button', { type: 'button', class: 'primary', onClick: () => answer(true) }, yes);
    const stay = h('button', { type: 'button', onClick: () => answer(false) }, 'Cancel');
    const element = dialog(title, h('p', { class: 'hint' }, text), h('footer', {}, stay, go));
    element.addEventListener('close', () => resolve(false));
    go.focus();
  });
}
