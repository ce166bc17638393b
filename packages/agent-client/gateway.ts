import {
  type CallToolResult,
  Client,
  type FetchLike,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { type Settings, tokenFrom } from './agent-options.js';
import { GatewayUnavailable, limited, limitedFetch, reasonOf } from './requests.js';
import type { CatalogTool } from './catalog-document.js';

/** A tool as the gateway lists it now. */
export type LiveTool = Tool;

/** Tools and pages of a list, beyond which the gateway is taken for broken. */
const MAX = { tools: 5_000, pages: 200 };

interface Connection {
  readonly client: Promise<Client>;
  /** Requests under way. */
  users: number;
  failed: boolean;
}

/** Characters of a fault: a model reads it, and it may hold text from outside. */
const MAX_FAULT_LENGTH = 300;

/** Talks to the gateway by MCP's official client: either current revision, one connection, made when it is needed. */
export class Gateway {
  private connection: Connection | undefined;
  private readonly fetch: FetchLike;

  constructor(private readonly settings: Pick<Settings, 'gateway' | 'fetch'>) {
    this.fetch = limitedFetch(settings.fetch);
  }

  /** Lists its tools, all pages, in its order; of equal names the first. Throws GatewayUnavailable. */
  async list(): Promise<ReadonlyMap<string, LiveTool>> {
    const signal = AbortSignal.timeout(this.settings.gateway.listTimeoutMs);
    try {
      return await this.through((client) => everyPage(client, signal), signal);
    } catch (error) {
      throw new GatewayUnavailable(`The gateway's tools can't be listed: ${faultOf(error)}`);
    }
  }

  /**
   * Calls a tool; in the version that is named, else as the gateway lists it. Throws ProtocolError where the gateway refuses, GatewayUnavailable where it does not answer. Never
   * sends a call twice that may have arrived.
   */
  async call(
    { name, version }: { readonly name: string; readonly version?: string },
    args: Record<string, unknown>,
    stop?: AbortSignal,
  ): Promise<CallToolResult> {
    const { callTimeoutMs } = this.settings.gateway;
    const signal = stop === undefined ? AbortSignal.timeout(callTimeoutMs) : limited(callTimeoutMs, stop);
    const params = {
      ...{ name, arguments: args },
      ...(version !== undefined && { _meta: { [versionMeta]: version } }),
    };
    const options = { signal, timeout: callTimeoutMs };
    try {
      return await this.through(
        (client) => client.request({ method: 'tools/call', params }, options),
        signal,
      );
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new GatewayUnavailable(`The gateway did not carry out ${name}: ${faultOf(error)}`);
    }
  }

  async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.client.then((client) => client.close()).catch(() => undefined);
  }

  /** Works on the open connection; on a new one where the gateway has lost the session, before it did any work. */
  private async through<T>(work: (client: Client) => Promise<T>, signal: AbortSignal): Promise<T> {
    const isOld = this.connection !== undefined;
    try {
      return await this.once(work, signal);
    } catch (error) {
      if (!isOld || !isForgotten(error)) throw error;
      return this.once(work, signal);
    }
  }

  /** Retires a connection after a failure, and closes it when its requests have ended. */
  private async once<T>(work: (client: Client) => Promise<T>, signal: AbortSignal): Promise<T> {
    const connection = (this.connection ??= { client: this.connect(signal), users: 0, failed: false });
    connection.users += 1;
    try {
      return await work(await connection.client);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      connection.failed = true;
      if (this.connection === connection) this.connection = undefined;
      throw error;
    } finally {
      connection.users -= 1;
      if (connection.failed && connection.users === 0)
        void connection.client.then((client) => client.close()).catch(() => undefined);
    }
  }

  private async connect(signal: AbortSignal): Promise<Client> {
    const { url, token, listTimeoutMs: timeout } = this.settings.gateway;
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: this.fetch,
      ...(token !== undefined && {
        authProvider: { token: async () => tokenFrom(token, AbortSignal.timeout(timeout)) },
      }),
    });
    const client = new Client(
      { name: 'portal-catalog-agent-client', version: '0.1.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(transport, { timeout, signal });
    return client;
  }
}

async function everyPage(client: Client, signal: AbortSignal): Promise<ReadonlyMap<string, LiveTool>> {
  const tools = new Map<string, LiveTool>();
  const seen = new Set<string | undefined>();
  for (let cursor: string | undefined; seen.size < MAX.pages && !seen.has(cursor);) {
    seen.add(cursor);
    const params = cursor === undefined ? {} : { cursor };
    const { tools: listed, nextCursor } = await client.request({ method: 'tools/list', params }, { signal });
    for (const tool of listed) if (!tools.has(tool.name)) tools.set(tool.name, tool);
    if (tools.size > MAX.tools) throw new Error(`it lists more than ${MAX.tools} tools`);
    if (nextCursor === undefined || nextCursor === '') return tools;
    cursor = nextCursor;
  }
  throw new Error('its pages never come to an end');
}

/** Whether the gateway has lost the session, which it answers with 404 before it does anything. */
function isForgotten(error: unknown): boolean {
  return (
    (error instanceof SdkHttpError && error.status === 404) ||
    (error instanceof SdkError && error.code === SdkErrorCode.NotConnected)
  );
}

function faultOf(error: unknown): string {
  if (error instanceof SdkHttpError) return `it answers with the status ${error.status}.`;
  return reasonOf(error).slice(0, MAX_FAULT_LENGTH);
}

/** Members of `_meta`: which version a call is of, and which ones a gateway serves beside that which it lists. */
const versionMeta = 'portal-catalog/version';
const versionsMeta = 'portal-catalog/versions';

/** The tool as the gateway serves it in an older version; undefined where it lists no such version. */
export function servedVersion(live: LiveTool, version: string): LiveTool | undefined {
  const versions: unknown = live._meta?.[versionsMeta];
  if (!Array.isArray(versions)) return undefined;
  const found = (
    versions as readonly ({ readonly version?: unknown; readonly inputSchema?: unknown } | null)[]
  ).find((each) => each?.version === version);
  const { inputSchema } = found ?? {};
  if (typeof inputSchema !== 'object' || inputSchema === null) return undefined;
  return { ...live, inputSchema: { ...inputSchema, type: 'object' } };
}

export type LiveTools = ReadonlyMap<string, LiveTool>;

type Named = Pick<CatalogTool, 'name' | 'endpoint'>;

/** Names that the catalog gives to tools. */
const catalogName = /^[A-Za-z0-9_-]{1,64}$/;
/** Suffix of endpoint keys of MCP servers. */
const called = '@call';

/**
 * Names by which a gateway may list a tool: the catalog's own, and that of the server behind it (`get.account` of
 * `get_account`), unless the catalog could give that name to another tool.
 */
export function listedNames({ name, endpoint = '' }: Named): readonly string[] {
  const own = endpoint.endsWith(called) ? endpoint.slice(0, -called.length) : name;
  return own === name || own === '' || catalogName.test(own) ? [name] : [name, own];
}

export function listedTool(tool: Named, live: LiveTools): LiveTool | undefined {
  const name = listedNames(tool).find((each) => live.has(each));
  return name === undefined ? undefined : live.get(name);
}
