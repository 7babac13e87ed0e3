// The way to an engine in the page's own worker.

import type { Carrier, Link } from './carrier';

export class Local implements Carrier {
  private worker: Worker | null = null;
  private problem = '';

  open(hear: (words: unknown) => void, closed: () => void): void {
    const worker = new Worker(new URL('worker.js', document.baseURI), { type: 'module' });
    worker.onmessage = (event) => {
      // The first words say that the engine is there.
      this.worker = worker;
      hear(event.data);
    };
    worker.onerror = (event) => {
      this.problem = event.message;
      this.worker = null;
      worker.terminate();
      closed();
    };
  }

  get isOpen(): boolean {
    return this.worker !== null;
  }

  send(message: object): void {
    this.worker?.postMessage(message);
  }

  explain(): Promise<{ link: Link; reason: string }> {
    const reason = this.problem ? `The engine has stopped: ${this.problem}` : 'The engine could not be loaded.';
    return Promise.resolve({ link: 'lost', reason });
  }
}
