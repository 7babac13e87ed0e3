// What the page remembers from visit to visit.

export type Theme = 'system' | 'dark' | 'light';
export type BoardColors = 'blue' | 'brown' | 'green';
export type Pieces = 'classic' | 'plain' | 'letters';
export type Color = 'white' | 'black' | 'random' | 'none';

export interface Settings {
  theme: Theme;
  engine: boolean;
  lines: number;
  arrows: boolean;
  /** Whether the drawer with the statistics of the search is open. */
  statistics: boolean;
  sound: boolean;
  board: BoardColors;
  pieces: Pieces;
  /** An analysis stops at this depth; 0 is no limit. */
  maxDepth: number;
  /** An analysis stops after so many seconds; 0 is no limit. */
  maxSeconds: number;
  /** Threads of a search; 0 is what the server uses. */
  threads: number;
  /** MiB of transposition table; 0 is what the server uses. */
  hash: number;
  /** 0 is full strength. */
  elo: number;
  color: Color;
  minutes: number;
  increment: number;
  /** Whether the engine may resign and offer draws. */
  yields: boolean;
  /** Whether the tour was taken or declined. */
  toured: boolean;
  /** Whose mistakes are trained; empty for everybody's. */
  player: string;
}

export const SETTINGS_KEY = 'halcyon.settings';

export const DEFAULTS: Settings = {
  theme: 'system',
  engine: true,
  lines: 3,
  arrows: true,
  statistics: false,
  sound: false,
  board: 'blue',
  pieces: 'classic',
  maxDepth: 0,
  maxSeconds: 0,
  threads: 0,
  hash: 0,
  elo: 1500,
  color: 'white',
  minutes: 0,
  increment: 0,
  yields: false,
  toured: false,
  player: '',
};

/** The settings of a text that was kept; what is unknown or of another type is left out. */
export function readSettings(text: string | null): Settings {
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Settings>;
    const known = Object.entries(kept).filter(([key, value]) => typeof value === typeof DEFAULTS[key as keyof Settings]);
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return { ...DEFAULTS };
  }
}

/** Shows the theme and the colours of the board. */
export function applyTheme({ theme, board, pieces }: Settings): void {
  document.documentElement.dataset['pieces'] = pieces;
  document.documentElement.dataset['board'] = board;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
