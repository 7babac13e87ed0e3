import type { Answer, Request } from './protocol.js';

export type * from './protocol.js';

/** The engine. It searches on the thread that it was loaded on: in a page, use `worker.js`. */
export declare class Halcyon {
  /** Loads the engine: from beside this file, or from an address or bytes. */
  static load(source?: string | URL | BufferSource): Promise<Halcyon>;
  private constructor();
  /** Called with every answer. */
  onAnswer: (answer: Answer) => void;
  /** Lets the engine introduce itself: the first answer is a `hello`. */
  begin(): void;
  /** Hands over a request. Its answers come through `onAnswer`, those of a search bit by bit. */
  send(request: Request): void;
  /** Nodes of the bench: the same as those of every other build of the same version. */
  bench(depth?: number): number;
}
