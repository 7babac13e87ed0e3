// Comments of PGN: their text, and the commands inside them that other programs write, such as
// [%eval 0.17], [%clk 0:03:00], [%csl Gd4] and [%cal Re2e4].

import type { Judgement, Score } from './protocol';

/** An arrow, or a circle if it has no end. The colour is that of PGN: G, R, Y or B. */
export interface Shape {
  color: 'G' | 'R' | 'Y' | 'B';
  from: string;
  to: string | null;
}

export interface Annotation {
  text: string;
  score: Score | null;
  /** Time left after the move, as it was written. */
  clock: string | null;
  shapes: Shape[];
  /** The judgement of a review, which is written as a sentence. */
  judged: { judgement: Judgement; best: string } | null;
  /** The sentences of the coach. */
  said: string;
  /** Commands that mean nothing here and are kept. */
  other: string[];
}

const COMMAND = /\[%(\w+)\s+([^\]]*)\]/g;
const SENTENCE = /(Inaccuracy|Mistake|Blunder)\. (?:\d+\.+ ?)?([A-Za-z0-9=+#-]+) was best\.\s*/g;

/** The sentences of the coach stand in quotes, so that what people write is told apart from them. */
const COACH = /Coach: "([^"]*)"\s*/g;

function readScore(text: string): Score | null {
  const value = (text.split(',')[0] ?? '').trim();
  const mate = /^#([+-]?\d{1,3})$/.exec(value);
  if (mate) return { mate: Number(mate[1]) };
  return /^[+-]?\d{1,4}(\.\d+)?$/.test(value) ? { cp: Math.round(Number(value) * 100) } : null;
}

function readShapes(text: string): Shape[] {
  const shapes: Shape[] = [];
  for (const word of text.split(',')) {
    const found = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/.exec(word.trim());
    if (found) shapes.push({ color: found[1] as Shape['color'], from: found[2] ?? '', to: found[3] ?? null });
  }
  return shapes;
}

/** Takes a comment apart. */
export function readComment(comment: string): Annotation {
  const found: Annotation = { text: '', score: null, clock: null, shapes: [], judged: null, said: '', other: [] };
  const plain = comment.replace(/\s+/g, ' ').replace(COMMAND, (whole: string, name: string, value: string) => {
    const score = name === 'eval' ? readScore(value) : null;
    const shapes = name === 'csl' || name === 'cal' ? readShapes(value) : [];
    if (score) found.score = score;
    else if (name === 'clk' && /^\d+:\d\d:\d\d(\.\d+)?$/.test(value.trim())) found.clock = value.trim();
    else if (shapes.length > 0) found.shapes.push(...shapes);
    else found.other.push(whole);
    return ' ';
  });
  const withoutCoach = plain.replace(COACH, (_, said: string) => {
    found.said = said.trim();
    return '';
  });
  const text = withoutCoach.replace(SENTENCE, (_, judgement: string, best: string) => {
    found.judged = { judgement: judgement.toLowerCase() as Judgement, best };
    return '';
  });
  found.text = text.replace(/\s+/g, ' ').trim();
  return found;
}

function scoreCommand(score: Score): string {
  return 'mate' in score ? `[%eval #${score.mate}]` : `[%eval ${(score.cp / 100).toFixed(2)}]`;
}

function shapesCommand(name: string, shapes: Shape[]): string {
  return shapes.length ? `[%${name} ${shapes.map((shape) => shape.color + shape.from + (shape.to ?? '')).join(',')}]` : '';
}

/** Writes a comment as one text. `label` stands before the best move, as in `11...`. */
export function writeComment(annotation: Annotation, label = ''): string {
  const { text, score, clock, shapes, judged, said, other } = annotation;
  const name = judged ? judged.judgement[0]?.toUpperCase() + judged.judgement.slice(1) : '';
  const parts = [
    score ? scoreCommand(score) : '',
    clock ? `[%clk ${clock}]` : '',
    shapesCommand(
      'csl',
      shapes.filter((shape) => !shape.to),
    ),
    shapesCommand(
      'cal',
      shapes.filter((shape) => shape.to),
    ),
    ...other,
    judged ? `${name}. ${label ? `${label} ` : ''}${judged.best} was best.` : '',
    said ? `Coach: "${said.replace(/"/g, '’')}"` : '',
    text,
  ];
  return parts.filter(Boolean).join(' ');
}
