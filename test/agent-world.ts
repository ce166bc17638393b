/** What an agent client talks to in tests: a catalog that is told what to give, and a gateway made with MCP's own SDK. */
import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  type CallToolResult,
  type ListToolsResult,
  type Tool,
} from '@modelcontextprotocol/server';
import { createPatch } from 'rfc6902';
import { AgentClient } from '../packages/agent-client/agent-client.js';
import type { AgentClientOptions } from '../packages/agent-client/agent-options.js';
import {
  catalogHash,
  type CatalogDocument,
  type CatalogSkill,
  type CatalogTool,
} from '../packages/agent-client/catalog-document.js';

export const identity = {
  hostId: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01',
  agentDefId: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02',
  serviceId: 'com.example.agent',
  envTag: 'dev',
};

/** A token as the client reads it: the claims count, nobody checks who signed it. */
export const tokenOf = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

export const schema = (
  properties: Record<string, Record<string, string | boolean | string[]>> = {},
  required: string[] = [],
) => ({
  type: 'object' as const,
  properties,
  required,
});

type ToolParts = Partial<Omit<CatalogTool, 'routingMetadata' | 'safety'>> & {
  readonly routing?: Partial<CatalogTool['routingMetadata']>;
  readonly safety?: Partial<CatalogTool['safety']>;
};

export function aTool(name: string, { routing, safety, ...rest }: ToolParts = {}): CatalogTool {
  return {
    ...{ toolId: `id-of-${name}`, name, description: `Does ${name}.`, version: '1.0.0' },
    ...{ lifecycleStatus: 'active', accessLevel: 'execute', config: {}, tags: [], categories: [] },
    inputSchema: schema(),
    routingMetadata: {
      ...{ semanticKeywords: [], targetPersonas: [], sensitivityTier: 'internal', semanticWeight: 1 },
      contextRequirements: { requiredInputs: [], requiredContext: [] },
      ...routing,
    },
    safety: { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false, ...safety },
    ...rest,
  };
}

export function aSkill(
  name: string,
  tools: readonly CatalogTool[],
  rest: Partial<CatalogSkill> = {},
): CatalogSkill {
  return {
    ...{
      skillId: `id-of-${name}`,
      name,
      description: `About ${name}.`,
      contentMarkdown: `Use ${name} with care.`,
    },
    ...{ priority: 0, tags: [], categories: [], dependsOn: [], tools },
    ...rest,
  };
}

export function aCatalog(
  skills: readonly CatalogSkill[],
  rest: Partial<CatalogDocument> = {},
): CatalogDocument {
  const content = {
    ...identity,
    ...{
      formatVersion: '1.0',
      catalogVersion: 1,
      catalogHash: '',
      ttlSeconds: 60,
      agent: { name: 'agent' },
      skills,
    },
    ...rest,
  };
  return { ...content, catalogHash: catalogHash(content) };
}

const problem = (status: number, detail: string): Response =>
  new Response(JSON.stringify({ status, detail }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });

/** Serves one document as the catalog's contract says, or fails in the way it is told to. */
export class ScriptedCatalog {
  /** In place of every answer. */
  answer: ((request: Request) => Response | Promise<Response>) | undefined;
  /** By tool name, what search gives. */
  scores: Record<string, number> = {};
  readonly requests: Request[] = [];
  /** What the last one who asked for the catalog, and was answered by it, was told. */
  lastWord: 'given' | 'refused' | undefined;
  private readonly given = new Map<string, CatalogDocument>();
  private readonly streams = new Set<ReadableStreamDefaultController<string>>();

  constructor(private current: CatalogDocument) {}

  get document(): CatalogDocument {
    return this.current;
  }

  /** Changes what is given, and tells those who follow. */
  change(document: CatalogDocument): void {
    this.current = document;
    const { catalogVersion, catalogHash: hash } = document;
    const data = JSON.stringify({ catalogVersion, catalogHash: hash });
    for (const stream of this.streams) {
      stream.enqueue(`id: ${catalogVersion}\nevent: catalog-changed\ndata: ${data}\n\n`);
    }
  }

  refuse(status = 403): void {
    this.answer = ({ url }) => {
      if (new URL(url).pathname.endsWith('/effective-catalog')) this.lastWord = 'refused';
      return problem(status, 'The token does not cover this.');
    };
  }

  down(): void {
    this.answer = () => Promise.reject(new TypeError('fetch failed'));
  }

  up(): void {
    this.answer = undefined;
  }

  fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    this.requests.push(request);
    if (this.answer !== undefined) return this.answer(request);
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/events')) return this.stream();
    if (pathname.endsWith('/search')) return this.found();
    this.lastWord = 'given';
    const { catalogHash: hash } = this.current;
    if (request.headers.get('if-none-match') === `"${hash}"`) return new Response(null, { status: 304 });
    const before = this.given.get(searchParams.get('since') ?? '');
    this.given.set(hash, this.current);
    return before === undefined
      ? Response.json(this.current)
      : new Response(JSON.stringify(createPatch(before, this.current)), {
          headers: { 'content-type': 'application/json-patch+json' },
        });
  };

  private stream(): Response {
    let own: ReadableStreamDefaultController<string> | undefined;
    const body = new ReadableStream<string>({
      start: (controller) => {
        this.streams.add((own = controller));
        controller.enqueue(':\n\n');
      },
      cancel: () => {
        if (own !== undefined) this.streams.delete(own);
      },
    });
    return new Response(body.pipeThrough(new TextEncoderStream()));
  }

  private found(): Response {
    const items = this.current.skills
      .flatMap(({ tools }) => tools)
      .flatMap(({ toolId: id, name }) =>
        name in this.scores ? [{ kind: 'tool', id, name, score: this.scores[name] }] : [],
      );
    return Response.json({ items });
  }
}

type Called = CallToolResult | ProtocolError;

/** A real MCP server, without a socket: requests reach it by `fetch`. */
export class SdkGateway {
  /** By name. */
  readonly calls: { readonly name: string; readonly args: unknown; readonly version?: unknown }[] = [];
  /** How calls are answered. */
  calling: (name: string) => Called | Promise<Called> = (name) => ({
    content: [{ type: 'text', text: `${name} was called` }],
  });
  isDown = false;
  /** In place of a list of all `tools`. */
  listing: (() => ListToolsResult | Promise<ListToolsResult>) | undefined;
  private readonly handler = createMcpHandler(() => this.server());

  constructor(public tools: readonly Tool[]) {}

  fetch: typeof fetch = async (input, init) => {
    if (this.isDown) throw new TypeError('fetch failed');
    return this.handler.fetch(new Request(input, init));
  };

  private server(): McpServer {
    const server = new McpServer({ name: 'gateway', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.server.setRequestHandler('tools/list', () => this.listing?.() ?? { tools: [...this.tools] });
    server.server.setRequestHandler('tools/call', async ({ params: { name, arguments: args, _meta } }) => {
      const version = _meta?.['portal-catalog/version'];
      this.calls.push({ name, args, ...(version !== undefined && { version }) });
      const answer = await this.calling(name);
      if (answer instanceof Error) throw answer;
      return answer;
    });
    return server;
  }
}

/** Of equal names and schemas as in the catalog. */
export function listedAs({ name, inputSchema }: CatalogTool): Tool {
  return { name, description: 'What the gateway says.', inputSchema: inputSchema as Tool['inputSchema'] };
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** An agent between a catalog and a gateway, with what it logged. */
export function anAgent(
  catalog: Pick<ScriptedCatalog, 'fetch'>,
  gateway: SdkGateway,
  options: Partial<AgentClientOptions> = {},
): { readonly agent: AgentClient; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const agent = new AgentClient({
    catalog: { url: 'http://catalog.test', token: tokenOf({}), ...identity },
    gateway: { url: 'http://gateway.test/mcp' },
    follow: false,
    fetch: (input, init) => {
      const { host } = new URL(input instanceof Request ? input.url : input);
      return host === 'catalog.test' ? catalog.fetch(input, init) : gateway.fetch(input, init);
    },
    log: (level, message, facts) => lines.push({ level, message, facts }),
    ...options,
  });
  return { agent, lines };
}
