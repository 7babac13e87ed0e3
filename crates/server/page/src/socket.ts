// The way to a server.

import type { Carrier, Link } from './carrier';

export class Socket implements Carrier {
  private socket: WebSocket | null = null;

  open(hear: (words: unknown) => void, closed: () => void): void {
    const socket = new WebSocket(`ws://${location.host}/api/v1/socket`);
    this.socket = socket;
    socket.onmessage = (event) => hear(JSON.parse(String(event.data)));
    socket.onclose = () => {
      this.socket = null;
      closed();
    };
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }

  async explain(): Promise<{ link: Link; reason: string }> {
    const status = await fetch('/api/v1/status').catch(() => null);
    if (status?.status === 403) {
      return { link: 'refused', reason: 'Halcyon was started anew. Open the address that it has printed; the game is kept.' };
    }
    if (status?.status === 503) return { link: 'lost', reason: await status.text() };
    return { link: 'lost', reason: 'Halcyon does not answer. Waiting for it to come back…' };
  }
}
