import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { McpServer } from './gateway-servers.js';

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly properties?: object; readonly required?: readonly string[] };
  readonly annotations?: object;
}

type Alteration = (tools: readonly ListedTool[]) => readonly ListedTool[];

/** Before a server of MCP over HTTP: hands everything through, and alters only what it lists. */
export class AlteringRelay implements McpServer {
  alter: Alteration = (tools) => tools;
  private readonly http: Server;

  private constructor(private readonly server: McpServer) {
    this.http = createServer((request, response) => {
      this.relay(request, response).catch(() => response.destroy());
    });
  }

  static async before(server: McpServer): Promise<AlteringRelay> {
    const relay = new AlteringRelay(server);
    relay.http.listen(0, '127.0.0.1');
    await once(relay.http, 'listening');
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.http.address() as AddressInfo).port)}/mcp`;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    this.http.close();
    await this.server.stop();
  }

  private async relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A stream beside the answers is the server's to offer, and these tests need none.
    if (request.method === 'GET') return void response.writeHead(405).end();
    const { host: _host, connection: _hop, 'content-length': _length, ...headers } = request.headers;
    const body = await text(request);
    const answer = await fetch(this.server.url, {
      method: request.method ?? 'POST',
      headers: headers as Record<string, string>,
      ...(body !== '' && { body }),
    });
    const kept = ['content-type', 'mcp-session-id'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(kept)).end(this.altered(await answer.text()));
  }

  /** JSON, or server-sent events with JSON in each `data:` line. */
  private altered(words: string): string {
    if (!words.includes('"tools":[')) return words;
    return words
      .split('\n')
      .map((line) => {
        const start = line.startsWith('data: ') ? 6 : 0;
        return line.startsWith('{', start) ? line.slice(0, start) + this.message(line.slice(start)) : line;
      })
      .join('\n');
  }

  private message(json: string): string {
    const message = JSON.parse(json) as { readonly result?: { readonly tools?: readonly ListedTool[] } };
    const { result } = message;
    if (!Array.isArray(result?.tools)) return json;
    return JSON.stringify({
      ...message,
      result: { ...result, tools: this.alter(result.tools as ListedTool[]) },
    });
  }
}
