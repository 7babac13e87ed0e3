// Draws the board of a game when its "Play through the game" is opened.
"use strict";
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

function html(name, attributes, parent) {
  const element = Object.assign(document.createElement(name), attributes);
  parent.append(element);
  return element;
}

// The upper left corner of a square such as "e4".
function corner(square, flipped) {
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  return flipped ? [(7 - file) * 100, rank * 100] : [file * 100, (7 - rank) * 100];
}

function arrow(uci, flipped, color, board) {
  if (!/^[a-h][1-8][a-h][1-8]/.test(uci)) return;
  const middle = (square) => corner(square, flipped).map((at) => at + 50);
  const [[x, y], [toX, toY]] = [middle(uci.slice(0, 2)), middle(uci.slice(2, 4))];
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const point = (along, across) => `${x + along * dx - across * dy} ${y + along * dy + across * dx}`;
  const neck = length - 42;
  const outline = [[18, 9], [neck, 9], [neck, 28], [length, 0], [neck, -28], [neck, -9], [18, -9]];
  const d = `M${outline.map(([along, across]) => point(along, across)).join("L")}z`;
  svg("path", { d, fill: `var(--${color})`, opacity: ".8" }, board);
}

function draw(board, placement, flipped) {
  board.replaceChildren();
  svg("use", { href: flipped ? "#board-b" : "#board-w" }, board);
  const sides = { w: svg("g", { class: "w" }, board), b: svg("g", { class: "b" }, board) };
  placement.split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const [x, y] = corner("abcdefgh"[file] + (8 - index), flipped);
      const side = letter === letter.toUpperCase() ? sides.w : sides.b;
      svg("use", { href: `#${letter.toUpperCase()}`, x, y }, side);
      file += 1;
    }
  });
}

function open(replay) {
  const { boards, moves } = JSON.parse(replay.querySelector("script").textContent);
  const panel = html("div", { className: "panel", tabIndex: 0 }, replay);
  panel.setAttribute("role", "group");
  panel.setAttribute("aria-label", "The game, move by move: use the arrow keys");
  const left = html("div", {}, panel);
  const board = svg("svg", { class: "board", viewBox: "0 0 800 800", role: "img" }, left);
  const controls = html("div", { className: "controls" }, left);
  const side = html("div", { className: "side" }, panel);
  const status = html("p", { className: "status" }, side);
  status.setAttribute("role", "status");
  const list = html("div", { className: "list" }, side);
  let at = 0;
  let flipped = false;

  const steps = moves.map((move, index) => {
    if (move.white || index === 0) {
      html("span", { textContent: `${move.number}${move.white ? "." : "..."}` }, list);
    }
    const mark = { Inaccuracy: "?!", Mistake: "?", Blunder: "??" }[move.judgement] ?? "";
    const step = html("button", { type: "button", textContent: move.san + mark }, list);
    step.classList.add(move.judgement ?? "fair");
    step.addEventListener("click", () => go(index + 1));
    return step;
  });

  function go(to) {
    at = Math.max(0, Math.min(moves.length, to));
    draw(board, boards[at], flipped);
    const move = moves[at - 1];
    board.setAttribute("aria-label", move ? `The position after ${move.san}` : "The start");
    status.textContent = move ? `${move.number}${move.white ? "." : "..."} ${move.san} ${move.eval}` : "The start";
    // The next move, if it was bad, in red beside the best one in green.
    const next = moves[at];
    if (next?.best) arrow(next.best, flipped, "best", board);
    if (next?.judgement) arrow(next.uci, flipped, "blunder", board);
    steps.forEach((step, index) => {
      if (index === at - 1) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    });
    const current = steps[at - 1];
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  const bad = (from, by) => {
    for (let index = from; index >= 0 && index < moves.length; index += by) {
      if (moves[index].judgement) return index;
    }
    return at;
  };
  const actions = [
    ["|◀", "Start", () => go(0)],
    ["◀", "Back", () => go(at - 1)],
    ["▶", "Forward", () => go(at + 1)],
    ["▶|", "End", () => go(moves.length)],
    ["??", "Next mistake", () => go(bad(at + 1, 1))],
    ["⇅", "Turn the board", () => { flipped = !flipped; go(at); }],
  ];
  for (const [sign, title, action] of actions) {
    const button = html("button", { type: "button", textContent: sign, title }, controls);
    button.setAttribute("aria-label", title);
    button.addEventListener("click", action);
  }
  panel.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  });
  go(0);
}

for (const replay of document.querySelectorAll(".replay")) {
  replay.addEventListener("toggle", () => open(replay), { once: true });
}
