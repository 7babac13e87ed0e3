// Connects to an engine in the page's own worker.

import type { Answer, Request } from './protocol';
import type { Link, Transport } from './transport';

export class Local implements Transport {
  private worker: Worker | null = null;
  private problem = '';

  open(receive: (message: Answer) => void, closed: () => void): void {
    const worker = new Worker(new URL('worker.js', document.baseURI), { type: 'module' });
    worker.onmessage = (event) => {
      // The first message says that the engine is ready.
      this.worker = worker;
      receive(event.data as Answer);
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

  send(message: Request): void {
    this.worker?.postMessage(message);
  }

  explain(): Promise<{ link: Link; reason: string }> {
    const reason = this.problem ? `The engine has stopped: ${this.problem}` : 'The engine could not be loaded.';
    return Promise.resolve({ link: 'lost', reason });
  }
}
