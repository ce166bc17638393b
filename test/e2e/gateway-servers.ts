import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { createServer as createProbe, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A JSON-RPC request or notification. */
interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A server of Streamable HTTP; `url` is where a gateway is registered. */
export interface McpServer {
  readonly url: string;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);
const everythingProgram = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const filesystemProgram = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

/** The reference server with every feature, a program of others. */
export async function startEverything(): Promise<McpServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [everythingProgram, 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await saying(child, 'listening');
  return { url: `http://127.0.0.1:${String(port)}/mcp`, stop: () => ended(child) };
}

/** The reference server of a folder, a program of others. It speaks on its standard streams, a line a message. */
export async function startFilesystem(folder: string): Promise<McpServer> {
  const child = spawn(process.execPath, [filesystemProgram, folder], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const waiting = new Map<Message['id'], (answer: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Message;
    waiting.get(answer.id)?.(answer);
  });
  await saying(child, 'running');
  const server = await serving(async (message, response) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    if (message.id === undefined) return void response.writeHead(202).end();
    sendJson(response, await new Promise((resolve) => waiting.set(message.id, resolve)));
  });
  return {
    url: server.url,
    async stop() {
      await ended(child);
      await server.stop();
    },
  };
}

export type Answering = (message: Message, response: ServerResponse, request: IncomingMessage) => unknown;

/** A gateway that lists what it is told to, or misbehaves in the way that `answering` does. */
export class ScriptedGateway implements McpServer {
  tools: readonly object[] = [];
  /** Tools in a page. */
  pageSize = 1000;
  /** Whether it speaks the stateless revision 2026-07-28, else 2025-11-25. */
  stateless = false;
  /** In place of the answer to `tools/list`. */
  answering: Answering | undefined;
  /** Whether it takes every request and answers none. */
  isSilent = false;
  readonly authorizations: (string | undefined)[] = [];

  private constructor(private readonly server: Serving) {}

  static async start(): Promise<ScriptedGateway> {
    const gateway: { self?: ScriptedGateway } = {};
    const server = await serving((message, response, request) =>
      gateway.self?.answer(message, response, request),
    );
    return (gateway.self = new ScriptedGateway(server));
  }

  get url(): string {
    return this.server.url;
  }

  connections(): Promise<number> {
    return this.server.connections();
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private answer(message: Message, response: ServerResponse, request: IncomingMessage): void {
    this.authorizations.push(request.headers.authorization);
    const { id, method, params } = message;
    if (this.isSilent) return;
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'server/discover' && this.stateless)
      sendJson(response, { jsonrpc: '2.0', id, result: discovered });
    else if (method === 'initialize' && !this.stateless)
      sendJson(response, { jsonrpc: '2.0', id, result: greeting });
    else if (method !== 'tools/list')
      sendJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    else if (this.answering !== undefined) this.answering(message, response, request);
    else sendJson(response, { jsonrpc: '2.0', id, result: this.page(Number(params?.['cursor'] ?? 0)) });
  }

  private page(from: number): object {
    const to = from + this.pageSize;
    const next = to < this.tools.length ? { nextCursor: String(to) } : {};
    const about = this.stateless ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
    return { ...about, tools: this.tools.slice(from, to), ...next };
  }
}

const greeting = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
};

const discovered = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'public',
};

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface Serving extends McpServer {
  /** Connections that are open now. */
  connections(): Promise<number>;
}

async function serving(answer: Answering): Promise<Serving> {
  const server: Server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void text(request).then((body) => answer(JSON.parse(body) as Message, response, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    connections: promisify(server.getConnections.bind(server)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createProbe().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function saying(child: ChildProcess, word: string): Promise<void> {
  const { stderr } = child;
  if (stderr === null) throw new Error('The program has no stderr.');
  for await (const line of createInterface({ input: stderr })) if (line.includes(word)) return;
  throw new Error(`The program ended before it said "${word}".`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
