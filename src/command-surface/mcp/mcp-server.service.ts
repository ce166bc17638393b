import { Inject, Injectable } from '@nestjs/common';
import {
  type CallToolResult,
  createMcpHandler,
  type McpHttpHandler,
  McpServer,
  type ServerEvent,
  type ServerEventBus,
  type Tool,
} from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { Heads } from '../../kernel/heads.js';
import { inSpan, type OpenSpan, type Said } from '../../kernel/spans.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { settingsOf } from '../../settings/public.js';
import type { CommandContext, Parameters } from '../agent-command.js';
import { CommandRegistry } from '../command-dispatcher.service.js';
import { McpCalls, McpFaults } from './mcp-calls.service.js';
import { commandTools, directTools, instructionsFor } from '../command-list.js';
import { McpSkills } from './mcp-skills.service.js';
import type { Observable } from 'rxjs';

/** Time that a client may keep a list; lists differ by token. */
const cacheHint = { ttlMs: 30_000, cacheScope: 'private' } as const;
const cacheable = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'server/discover',
] as const;

/** Messages whose answer holds the instructions of the surface. */
const introductions: readonly unknown[] = ['initialize', 'server/discover'];

/** The client of a request. */
interface McpClient {
  readonly caller: Caller;
  readonly agentDefId: string | undefined;
  readonly correlationId: string;
}

interface Called {
  readonly result: CallToolResult;
  readonly schema?: Record<string, unknown> | undefined;
}

/** Makes a server for each request; nothing is kept between requests. */
@Injectable()
export class McpServers {
  constructor(
    private readonly registry: CommandRegistry,
    private readonly calls: McpCalls,
    private readonly skills: McpSkills,
    @Inject(DATABASE) private readonly database: Database,
    private readonly heads: Heads,
    private readonly faults: McpFaults,
  ) {}

  /** @param method of its message: a subscription gets changes, a first message the instructions */
  async handlerFor(client: McpClient, method: unknown): Promise<McpHttpHandler> {
    const look = async () => ({
      tools: String(await this.isCommandSurface(client)),
      skills: await this.skills.stateOf(client),
    });
    const growth = this.heads.changesOf(client.caller.hostId);
    const instructions = introductions.includes(method) ? await this.instructionsOf(client) : undefined;
    return createMcpHandler(
      ({ era }) => this.serverFor(client, { instructions, listens: era === 'modern' }),
      method === 'subscriptions/listen' ? { bus: await changesOf(growth, look) } : {},
    );
  }

  /** Undefined where the settings can't be read, which is logged: the wrong instructions would mislead a whole session. */
  private async instructionsOf(client: McpClient): Promise<string | undefined> {
    try {
      return instructionsFor(await this.faults.translate(client, () => this.isCommandSurface(client)));
    } catch {
      return undefined;
    }
  }

  /** @param listens whether the client can be notified of changes; older ones can't without a session */
  private serverFor(
    client: McpClient,
    { instructions, listens }: { readonly instructions: string | undefined; readonly listens: boolean },
  ): McpServer {
    const server = new McpServer(
      { name: 'portal-catalog', title: 'Portal catalog', version: '1.0.0' },
      {
        ...(instructions !== undefined && { instructions }),
        capabilities: {
          tools: { listChanged: listens },
          prompts: { listChanged: listens },
          resources: { listChanged: listens },
        },
        cacheHints: Object.fromEntries(cacheable.map((method) => [method, cacheHint])),
      },
    );
    this.serveTools(server, client);
    server.server.setRequestHandler('prompts/list', () => this.skills.prompts(client));
    server.server.setRequestHandler('prompts/get', ({ params }) => this.skills.prompt(params.name, client));
    new SkillsExtension({ source: this.skills.source(client), cacheHint }).attach(server);
    return server;
  }

  private serveTools({ server }: McpServer, client: McpClient): void {
    server.setRequestHandler('tools/list', () => this.faults.translate(client, () => this.list(client)));
    server.setRequestHandler('tools/call', ({ params }) =>
      this.faults.translate(client, async () => {
        const given = params.arguments ?? {};
        const { result, schema } = await inSpan(
          () => this.saidOf(params.name, given),
          (span) => this.observed(this.call(params.name, given, client), span),
          traceOf(params._meta),
        );
        return server.projectCallToolResult(result, schema);
      }),
    );
  }

  /** A call by the names of the conventions for MCP; only of tools and commands that exist, since names are what a caller sends. */
  private saidOf(tool: string, given: Parameters): Said {
    const command = tool === 'invoke_command' ? given['command_name'] : tool;
    const isOurs = tool === 'list_commands' || (typeof command === 'string' && this.registry.find(command));
    const name = isOurs ? String(command) : 'unknown';
    return {
      name: `tools/call ${name}`,
      kind: 'server',
      attributes: {
        ...{ 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool' },
        'gen_ai.tool.name': name,
      },
    };
  }

  /** Says which skill was loaded, and that a call was refused. */
  private async observed(call: Promise<Called>, span: OpenSpan | undefined): Promise<Called> {
    const called = await call;
    const { isError } = called.result;
    const structuredContent = called.result.structuredContent as Parameters | undefined;
    if (isError === true) span?.failed('tool_error');
    const skill = structuredContent?.['skillId'] === undefined ? undefined : structuredContent['name'];
    if (typeof skill === 'string') span?.set({ 'gen_ai.skill.name': skill });
    return called;
  }

  private async list(client: McpClient): Promise<{ tools: Tool[] }> {
    const usable = this.registry.usableBy(client.caller);
    return { tools: (await this.isCommandSurface(client)) ? commandTools(usable) : directTools(usable) };
  }

  /** Calls a tool; `schema` is that of the result, where the tool is listed with one. */
  private async call(name: string, given: Parameters, client: McpClient): Promise<Called> {
    const context: CommandContext = { ...client, format: 'llm', streams: false };
    if (await this.isCommandSurface(client))
      return { result: await this.calls.ofSurface(name, given, context) };
    const schema = this.registry.find(name)?.result as Called['schema'];
    return { result: await this.calls.direct(name, given, context), schema };
  }

  /** Reads the token's setting first, then its host's. */
  private async isCommandSurface({ caller }: McpClient): Promise<boolean> {
    if (caller.commandTools !== undefined) return caller.commandTools;
    return (await settingsOf(this.database.of(caller.hostId), caller.hostId)).commandTools;
  }
}

/** What a client sends beside a call to continue its trace; undefined where it sends none, and the headers count. */
function traceOf(
  meta: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const { traceparent, tracestate } = meta ?? {};
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
}

/** Digests of what a client sees. */
interface SeenState {
  readonly tools: string;
  readonly skills: string;
}

/**
 * Notifies one client of changes of what it sees, compared whenever the host's log has grown. Comparisons follow each
 * other, however fast the log grows; the first state is read before the client can subscribe, so that no change is
 * missed.
 */
export async function changesOf(
  growth: Observable<unknown>,
  look: () => Promise<SeenState>,
): Promise<ServerEventBus> {
  // A read that failed is repeated at the next growth.
  let known = await look().catch(() => undefined);
  return {
    publish: () => undefined,
    subscribe: (listener) => {
      let pending = false;
      const check = async (): Promise<void> => {
        pending = false;
        const [before, now] = [known, await look()];
        known = now;
        if (before === undefined) return;
        for (const event of eventsBetween(before, now)) listener(event);
      };
      let last = check().catch(() => undefined);
      const subscription = growth.subscribe(() => {
        if (pending) return;
        pending = true;
        last = last.then(check).catch(() => undefined);
      });
      return () => {
        subscription.unsubscribe();
      };
    },
  };
}

function eventsBetween(before: SeenState, now: SeenState): ServerEvent[] {
  const skills: ServerEvent[] = [{ kind: 'prompts_list_changed' }, { kind: 'resources_list_changed' }];
  return [
    ...(before.tools === now.tools ? [] : [{ kind: 'tools_list_changed' } as const]),
    ...(before.skills === now.skills ? [] : skills),
  ];
}
