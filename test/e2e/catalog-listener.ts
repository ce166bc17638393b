import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { until } from '../until.js';

export interface Catalog {
  readonly catalogVersion: number;
  readonly catalogHash: string;
}

/** Events of a stream as they arrive, over a connection of its own. */
export class Listener {
  readonly events: { event: string; data: Catalog }[] = [];
  readonly ended: Promise<void>;

  private constructor(
    private readonly request: ClientRequest,
    response: IncomingMessage,
  ) {
    this.ended = this.collect(response).catch(() => undefined);
  }

  static async at(address: string, token: string, headers: Record<string, string> = {}): Promise<Listener> {
    const request = get(address, { agent: false, headers: { authorization: `Bearer ${token}`, ...headers } });
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200)
      throw new Error(`The stream is answered with ${String(response.statusCode)}.`);
    return new Listener(request, response);
  }

  leave(): void {
    this.request.destroy();
  }

  /** Waits for so many events. */
  async until(count: number): Promise<void> {
    await until(
      () => this.events.length,
      (heard) => heard >= count,
    );
  }

  private async collect(body: IncomingMessage): Promise<void> {
    let text = '';
    for await (const chunk of body) {
      text += String(chunk);
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) this.take(part);
    }
  }

  private take(part: string): void {
    const event = /^event: (.*)$/m.exec(part)?.[1];
    const data = /^data: (.*)$/m.exec(part)?.[1];
    if (event !== undefined) this.events.push({ event, data: JSON.parse(data ?? '{}') as Catalog });
  }
}
