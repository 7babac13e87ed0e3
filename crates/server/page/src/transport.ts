// What carries messages between the page and the engine.

import type { Answer, Request } from './protocol';

export type Link = 'connecting' | 'open' | 'lost' | 'refused';

export interface Transport {
  /** Connects. Messages and the end come through the functions given. */
  open(receive: (message: Answer) => void, closed: () => void): void;
  readonly isOpen: boolean;
  send(message: Request): void;
  /** Finds out why it was closed, for people, and whether it may help to try again. */
  explain(): Promise<{ link: Link; reason: string }>;
}
