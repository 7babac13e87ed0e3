// What carries the words between the page and the engine.

export type Link = 'connecting' | 'open' | 'lost' | 'refused';

export interface Carrier {
  /** Begins. Words and the end come through the functions given. */
  open(hear: (words: unknown) => void, closed: () => void): void;
  readonly isOpen: boolean;
  send(message: object): void;
  /** Finds out why it was closed, for people, and whether it may help to try again. */
  explain(): Promise<{ link: Link; reason: string }>;
}
