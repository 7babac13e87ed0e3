// Comments and PGN: what is read is written again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComment, writeComment } from '../src/comments';
import { writePgn } from '../src/pgn';
import { partsOf } from '../src/collection';
import { idOf } from '../src/storage';
import { fromPgn, nodeOf, pack, ROOT, unpack } from '../src/tree';
import { readPgn } from './fake-server';

test('commands are understood and written again', () => {
  const text = '[%eval -0.35] [%clk 1:02:03] [%csl Ga1,Rh8] [%cal Ye2e4] [%emt 0:00:07] good';
  const found = readComment(text);
  assert.deepEqual(found.score, { cp: -35 });
  assert.equal(found.clock, '1:02:03');
  assert.equal(found.shapes.length, 3);
  assert.deepEqual(found.other, ['[%emt 0:00:07]']);
  assert.equal(found.text, 'good');
  assert.equal(writeComment(found), text);
  assert.deepEqual(readComment('[%eval #-3]').score, { mate: -3 });
  assert.deepEqual(readComment('[%eval 0.2,18]').score, { cp: 20 });
  for (const odd of ['[%eval x]', '[%clk soon]', '[%csl Zz9]', '[%', '[%eval 1']) assert.equal(writeComment(readComment(odd)), odd);
});

test('the sentence of a review is no comment of a person', () => {
  for (const text of ['Blunder. 11... Kd8 was best.', 'Blunder. Kd8 was best.', '(−1.0 → 3.0) Blunder. Kd8 was best.']) {
    assert.deepEqual(readComment(text).judged, { judgement: 'blunder', best: 'Kd8' });
  }
  assert.equal(readComment('Mistake. 3. Nf3 was best. Really?').text, 'Really?');
});

test('the sentences of the coach are read and written again', () => {
  const text = 'Blunder. 2. Nf3 was best. Coach: "g4 allows mate in one: 2...Qh4#." I was tired.';
  const found = readComment(text);
  assert.equal(found.said, 'g4 allows mate in one: 2...Qh4#.');
  assert.equal(found.text, 'I was tired.');
  assert.equal(writeComment(found, '2.'), text);
  const pgn = `1. f3 e5 2. g4 $4 { ${text} } 2... Qh4# 0-1`;
  const written = writePgn(fromPgn(readPgn(pgn)), '0-1');
  assert.ok(written.replace(/\s+/g, ' ').includes(`2. g4 $4 { ${text} } 2... Qh4# 0-1`), written);
  assert.equal(writePgn(fromPgn(readPgn(written)), '0-1'), written);
});

test('a game of Lichess keeps everything', () => {
  const text = `[Event "Rated game"]\n[Site "?"]\n[Date "2024.01.02"]\n[Round "-"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n[WhiteElo "1500"]\n\n{ Start. } 1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 $6 { [%eval 0.5] [%clk 0:03:00] Inaccuracy. 1... c5 was best. } ({ Or } 1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 $1 $14 1-0\n`;
  const tree = fromPgn(readPgn(text));
  assert.equal(nodeOf(tree, ROOT).comment, 'Start.');
  const again = writePgn(tree, '1-0');
  assert.equal(writePgn(fromPgn(readPgn(again)), '1-0'), again);
  for (const part of [
    '{ Start. }',
    '[%eval 0.50] [%clk 0:03:00]',
    'e5 $6 {',
    '({ Or } 1... c5',
    '(2. c3 d5)',
    'Nf3 $1 $14',
    '[WhiteElo "1500"]',
  ])
    assert.ok(again.replace(/\s+/g, ' ').includes(part), `${part}: ${again}`);
  assert.equal(again.match(/was best/g)?.length, 1);
});

test('no line begins like a tag, and no result is invented', () => {
  const words = 'x'.repeat(60);
  const tree = fromPgn(readPgn(`1. e4 { ${words} [Event "trap"] ${words} %escape } e5 *`));
  const text = writePgn(tree, 'won by White');
  assert.equal(text.split('\n').filter((line) => line.startsWith('[Event')).length, 1, text);
  assert.ok(!text.split('\n').some((line) => line.startsWith('%')), text);
  assert.match(text, /\[Result "\*"\]/);
  assert.match(text, /\*\n$/);
});

test('null moves are read and written again', () => {
  const text = '1. e4 -- 2. d4 { two in a row } ( 2. -- e5 ) 2... -- 3. Nf3 *';
  const tree = fromPgn(readPgn(text));
  const written = writePgn(tree, '*');
  assert.match(written.replace(/\n/g, ' '), /1\. e4 -- 2\. d4 \{ two in a row \} \(2\. -- e5\) 2\.\.\. -- 3\. Nf3 \*/);
  assert.equal(writePgn(fromPgn(readPgn(written)), '*'), written);
});

test('a tree that was packed is the same tree', () => {
  const text = '{Start.} 1. e4 $1 {[%eval 0.3] [%cal Gd2d4] Good.} (1. d4 {Or:} d5 (1... Nf6)) e5 2. Nf3 *';
  const tree = fromPgn(readPgn(text));
  assert.deepEqual(unpack(pack(tree)), tree);
  assert.ok(pack(tree).length < 0.7 * JSON.stringify(tree).length);
});

test('the same text is the same game, and another text another one', () => {
  const ids = ['1. e4 e5 *', '1. e4 e5 *', '1. e4 e5 {Good.} *', '1. e4 c5 *'].map((text) => idOf(fromPgn(readPgn(text))));
  assert.equal(ids[0], ids[1]);
  assert.equal(new Set(ids).size, 3);
});

test('a long text is cut between games, and nothing of it is lost', () => {
  const game = (name: number, moves: string) => `[Event "Club"]\n[White "W${name}"]\n\n${moves}\n`;
  const games = Array.from({ length: 3000 }, (_, index) => game(index, '1. e4 e5 {a "quoted" word} *'));
  const { parts, tooLong } = partsOf(games.join('\n'));
  assert.ok(parts.length > 2 && tooLong === 0);
  const size = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length;
  for (const part of parts) assert.ok(size(part) < 70_000 && part.startsWith('[Event '));
  assert.equal(parts.join('\n'), games.join('\n'));
  // Games without this tag, and one that is too long for the server.
  const bare = (name: number, moves: string) => `[White "W${name}"]\n\n${moves}\n`;
  const long = bare(0, `1. e4 {${'x'.repeat(1 << 20)}} *`);
  const cut = partsOf([long, ...Array.from({ length: 3000 }, (_, index) => bare(index, '1. e4 *'))].join('\n'));
  assert.equal(cut.tooLong, 1);
  assert.equal(cut.parts.join('\n').match(/\[White /g)?.length, 3000);
});
