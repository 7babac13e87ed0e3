// What the page remembers from visit to visit.

export interface Settings {
  theme: 'system' | 'dark' | 'light';
  engine: boolean;
  lines: number;
  arrows: boolean;
  hood: boolean;
  /** 0 is full strength. */
  elo: number;
  color: 'white' | 'black' | 'random';
  minutes: number;
  increment: number;
}

const KEY = 'halcyon.settings';

const DEFAULTS: Settings = {
  theme: 'system',
  engine: true,
  lines: 3,
  arrows: true,
  hood: true,
  elo: 1500,
  color: 'white',
  minutes: 0,
  increment: 0,
};

export function loadSettings(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
    const known = Object.entries(kept).filter(
      ([key, value]) => typeof value === typeof DEFAULTS[key as keyof Settings],
    );
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return { ...DEFAULTS };
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

export function applyTheme(theme: Settings['theme']): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
