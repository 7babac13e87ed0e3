// Sends requests, receives answers, and reconnects when the connection was lost.

import { PROTOCOL, type Answer, type Request } from './protocol';
import type { Link, Transport } from './transport';

type Waiting = { resolve: (answer: Answer) => void; reject: (reason: Error) => void; isLast: (answer: Answer) => boolean };

/** What can be asked for one answer, and which answer comes. */
type Questions = {
  position: 'position';
  games: 'games';
  game: 'game';
  trace: 'traced';
  unfold: 'unfolded';
  explain: 'explained';
  why_not: 'left_out';
  book: 'book';
  review: 'reviewed';
};
type Ask<K extends keyof Questions> = Omit<Extract<Request, { type: K }>, 'id'>;
export type AnswerTo<K extends keyof Questions> = Extract<Answer, { type: Questions[K] }>;

const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 4000;
/** Ids from here on are of questions, those below of the state's requests. */
const FIRST_ID = 1 << 30;

export class Connection {
  /** Called for everything that is not the answer to a single question. */
  onAnswer: (answer: Answer) => void = () => {};
  /** Called when the connection comes or goes, with a reason for people. */
  onLink: (link: Link, reason: string) => void = () => {};

  private lastId = FIRST_ID;
  private retry = FIRST_RETRY_MS;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly transport: Transport) {}

  open(): void {
    this.onLink('connecting', 'Connecting');
    this.transport.open(
      (message) => this.receive(message),
      () => {
        for (const { reject } of this.waiting.values()) reject(new Error('The connection was lost'));
        this.waiting.clear();
        void this.explain();
      },
    );
  }

  private receive(answer: Answer): void {
    if (answer.type === 'hello') {
      this.retry = FIRST_RETRY_MS;
      if (answer.protocol !== PROTOCOL) {
        this.onLink('refused', 'This page is older than the server: please reload it');
        return;
      }
      this.onAnswer(answer);
      this.onLink('open', 'Connected');
      return;
    }
    const waiting = answer.id === null ? undefined : this.waiting.get(answer.id);
    if (!waiting || answer.id === null) {
      // A late answer to a question that was given up is nobody's.
      if (answer.id === null || answer.id < FIRST_ID) this.onAnswer(answer);
      return;
    }
    if (answer.type !== 'error' && !waiting.isLast(answer)) return;
    this.waiting.delete(answer.id);
    if (answer.type === 'error') waiting.reject(new Error(answer.message));
    else waiting.resolve(answer);
  }

  /** Finds out why there is no connection, and tries again if that may help. */
  private async explain(): Promise<void> {
    this.onLink('lost', 'Halcyon does not answer. Waiting for it to come back…');
    const { link, reason } = await this.transport.explain();
    this.onLink(link, reason);
    if (link === 'refused') return;
    window.setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(this.retry * 1.6, LAST_RETRY_MS);
  }

  send(request: Request): void {
    if (this.transport.isOpen) this.transport.send(request);
  }

  /** Asks for one answer, with reports of progress before it; fails with a reason for people. */
  ask<K extends keyof Questions>(question: Ask<K>, onUpdate: (answer: Answer) => void = () => {}): Promise<AnswerTo<K>> {
    if (!this.transport.isOpen) return Promise.reject(new Error('There is no connection to Halcyon'));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const isLast = (answer: Answer) => {
        const isReport = ['progress', 'explaining', 'comparing'].includes(answer.type);
        if (isReport) onUpdate(answer);
        return !isReport;
      };
      this.waiting.set(id, { resolve: resolve as (answer: Answer) => void, reject, isLast });
      this.send({ ...question, id } as unknown as Request);
    });
  }
}
