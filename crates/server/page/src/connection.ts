// Asks, hears, and comes back when the way to the engine was lost.

import type { Carrier, Link } from './carrier';
import { PROTOCOL, type Answer, type Facts, type Place, type Request } from './protocol';

type Waiting = { resolve: (answer: Answer) => void; reject: (reason: Error) => void };
type WithId = Answer & { id?: number | null };

const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 4000;

export class Connection {
  /** Called for everything that is not the answer to a single question. */
  onAnswer: (answer: Answer) => void = () => {};
  /** Called when the connection comes or goes, with a reason for people. */
  onLink: (link: Link, reason: string) => void = () => {};

  private lastId = 0;
  private retry = FIRST_RETRY_MS;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly carrier: Carrier) {}

  open(): void {
    this.onLink('connecting', 'Connecting');
    this.carrier.open(
      (words) => this.hear(words as Answer),
      () => {
        for (const { reject } of this.waiting.values()) reject(new Error('The connection was lost'));
        this.waiting.clear();
        void this.explain();
      },
    );
  }

  get isOpen(): boolean {
    return this.carrier.isOpen;
  }

  private hear(answer: WithId): void {
    if (answer.type === 'hello') {
      this.retry = FIRST_RETRY_MS;
      if (answer.protocol !== PROTOCOL) {
        this.onLink('refused', 'This page is older than the server: please load it again');
        return;
      }
      this.onAnswer(answer);
      this.onLink('open', 'Connected');
      return;
    }
    const waiting = answer.id == null ? undefined : this.waiting.get(answer.id);
    if (waiting && answer.id != null) {
      this.waiting.delete(answer.id);
      if (answer.type === 'error') waiting.reject(new Error(answer.message));
      else waiting.resolve(answer);
      return;
    }
    this.onAnswer(answer);
  }

  /** Finds out why there is no connection, and tries again if that may help. */
  private async explain(): Promise<void> {
    this.onLink('lost', 'Halcyon does not answer. Waiting for it to come back…');
    const { link, reason } = await this.carrier.explain();
    this.onLink(link, reason);
    if (link === 'refused') return;
    window.setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(this.retry * 1.6, LAST_RETRY_MS);
  }

  /** Sends a message that no single answer belongs to. */
  send(message: object): void {
    if (this.isOpen) this.carrier.send(message);
  }

  /** Sends a request whose answers come through `onAnswer`, and says with which number. */
  start(request: Request): number {
    const id = ++this.lastId;
    this.send({ ...request, id });
    return id;
  }

  /** Asks for one answer. */
  ask(request: object): Promise<Answer> {
    if (!this.isOpen) return Promise.reject(new Error('There is no connection to Halcyon'));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ ...request, id });
    });
  }

  /** The facts of a position; fails with a reason for people. */
  async facts(at: Place): Promise<Facts> {
    return (await this.ask({ type: 'position', at })) as Answer & Facts;
  }
}
