// Games that tests and pictures share.
import { drop } from './harness.mjs';

/** The text of a game. */
export const gameText = (white, black, text, result) =>
  `[Event "Club"]\n[Date "2024.05.17"]\n[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n\n${text} ${result}\n\n`;

/** A file of three games. */
export const CLUB =
  gameText('Anna', 'Bert', '1. d4 d5 2. c4 e6 3. Nc3', '1/2-1/2') +
  gameText('Cora', 'Dora', '1. f3 e5 2. g4 Qh4#', '0-1') +
  gameText('Eva', 'Fritz', '1. e4 c5', '1-0');

/** Drops that file on the page; gives the list of its games. */
export async function dropClub(page) {
  await drop(page, 'club.pgn', Buffer.from(CLUB));
  return page.getByRole('dialog', { name: '3 games' });
}

/** As many short games, each of another pair of players. */
export function manyGames(count) {
  const games = Array.from({ length: count }, (_, index) =>
    gameText(`White ${index + 1}`, `Black ${index + 1}`, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6', '1-0'),
  );
  return games.join('');
}

export const OPERA = `[Event "A night at the opera"]
[Site "Paris"]
[Date "1858.11.02"]
[White "Morphy, Paul"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
`;
