// Plays a short game against itself at two strengths: `node node.mjs`
import { Engine } from 'halcyon-chess';

const engine = await Engine.start();
const moves = [];
for (let ply = 0; ply < 8; ply += 1) {
  const step = await engine.play({ moves, elo: ply % 2 === 0 ? 1800 : 1000 });
  if (step === null) break;
  moves.push(step.uci);
}
const { fen, opening } = await engine.position({ moves });
console.log(moves.join(' '));
console.log(fen, opening?.name ?? '');
engine.close();
