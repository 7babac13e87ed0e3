// What a program in TypeScript writes: compiled, not run.
import { Engine, Halcyon, type AnswerOf } from 'halcyon-chess';

const engine: Engine = await Engine.start({ worker: false });
const found: AnswerOf<'search'> = await engine.analyse({ moves: ['e4'], nodes: 1000, lines: 2 });
const line: string[] = found.lines.flatMap(({ moves }) => moves.map(({ san }) => san));
const best: string | undefined = (await engine.play({ elo: 1500 }))?.uci;
const { plies } = await engine.review({ pgn: '1. e4 e5 *', onUpdate: ({ done, total }) => done / total });
// @ts-expect-error There is no such request.
(await Halcyon.load()).send({ type: 'sing' });
const why: string[] = (await engine.explain({ moves: ['f3', 'e5'], move: 'g4' })).clauses.map(({ text }) => text);
export { best, line, plies, why };
