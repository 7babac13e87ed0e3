// Connects to a server over a websocket.

import type { Answer, Request } from './protocol';
import type { Link, Transport } from './transport';

export class Socket implements Transport {
  private socket: WebSocket | null = null;

  open(receive: (message: Answer) => void, closed: () => void): void {
    const socket = new WebSocket(`ws://${location.host}/api/v1/socket`);
    this.socket = socket;
    socket.onmessage = (event) => receive(JSON.parse(String(event.data)) as Answer);
    socket.onclose = () => {
      this.socket = null;
      closed();
    };
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(message: Request): void {
    this.socket?.send(JSON.stringify(message));
  }

  async explain(): Promise<{ link: Link; reason: string }> {
    const status = await fetch('/api/v1/status').catch(() => null);
    if (status?.status === 403) {
      return { link: 'refused', reason: 'Halcyon was restarted: open the new address that it has printed. The game is kept.' };
    }
    if (status?.status === 503) return { link: 'lost', reason: await status.text() };
    return { link: 'lost', reason: 'Halcyon does not answer. Waiting for it to come back…' };
  }
}
