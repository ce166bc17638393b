import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Somebody who wants to know: keeps what arrives, and answers with `status`, or not at all. */
export class Receiver {
  readonly received: Received[] = [];
  status: number | 'never' = 204;
  /** Requests that wait for an answer. */
  open = 0;
  private readonly server: Server = createServer((request, response) => {
    this.open += 1;
    response.on('close', () => (this.open -= 1));
    void text(request).then((body) => {
      this.received.push({ headers: request.headers, body });
      if (this.status !== 'never') response.writeHead(this.status).end();
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const positionOf = ({ body }: Received): unknown =>
  (JSON.parse(body) as { data: { position: number } }).data.position;
