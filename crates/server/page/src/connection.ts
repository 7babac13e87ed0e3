// The websocket: asks, hears, and comes back when it was lost.

import { PROTOCOL, type Answer, type Facts, type Place, type Request } from './protocol';

export type Link = 'connecting' | 'open' | 'lost' | 'refused';

type Waiting = { resolve: (answer: Answer) => void; reject: (reason: Error) => void };
type WithId = Answer & { id?: number | null };

const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 4000;

export class Connection {
  /** Called for everything that is not the answer to a single question. */
  onAnswer: (answer: Answer) => void = () => {};
  /** Called when the connection comes or goes, with a reason for people. */
  onLink: (link: Link, reason: string) => void = () => {};

  private socket: WebSocket | null = null;
  private lastId = 0;
  private retry = FIRST_RETRY_MS;
  private readonly waiting = new Map<number, Waiting>();

  open(): void {
    this.onLink('connecting', 'Connecting');
    const socket = new WebSocket(`ws://${location.host}/api/v1/socket`);
    this.socket = socket;
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Answer);
    socket.onclose = () => {
      this.socket = null;
      for (const { reject } of this.waiting.values()) reject(new Error('The connection was lost'));
      this.waiting.clear();
      void this.explain();
    };
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
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
    const status = await fetch('/api/v1/status').catch(() => null);
    if (status?.status === 403) {
      this.onLink('refused', 'Halcyon was started anew. Open the address that it has printed; the game is kept.');
      return;
    }
    if (status?.status === 503) this.onLink('lost', await status.text());
    window.setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(this.retry * 1.6, LAST_RETRY_MS);
  }

  /** Sends a message that no single answer belongs to. */
  send(message: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
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
