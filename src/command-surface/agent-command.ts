/** Declares the commands of agents, from which MCP, REST and the documentation follow. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import { Invalid } from '../kernel/errors.js';
import { type Caller, isNarrowedCaller, type Scope } from '../platform/auth/caller.js';
import type { WriteTerms } from '../platform/http/write-context.js';

export type AnswerFormat = 'raw' | 'llm';

/** The caller of a command, and the form of the answer. */
export interface CommandContext {
  readonly caller: Caller;
  /** Agent of the token or the connection, for commands that name none. */
  readonly agentDefId?: string | undefined;
  readonly format: AnswerFormat;
  /** Whether the caller takes a stream. */
  readonly streams: boolean;
  /** Id of the request in the log. */
  readonly correlationId: string;
  /** Terms of a write that names none itself. */
  readonly terms?: WriteTerms;
}

export interface CommandResult {
  readonly value: object;
  /** Text for models; by default the value in TOON. */
  readonly text?: string;
}

export type Parameters = Readonly<Record<string, unknown>>;

/** Carries out one command with parameters that fit its schema. */
export type Run = (parameters: Parameters, context: CommandContext) => Promise<CommandResult> | CommandResult;

export interface CommandSpec {
  readonly name: string;
  /** One line, at most 60 characters: part of the description of `list_commands`. */
  readonly summary: string;
  readonly description: string;
  /** JSON Schema of the parameters; added are `format`, `agentDefId` where it reads, the terms of a write where it writes. */
  readonly properties: Readonly<Record<string, JSONSchema>>;
  readonly required?: readonly string[];
  /** JSON Schema of the result, an object. */
  readonly result: JSONSchema;
  /** One of these is enough. */
  readonly scope: readonly Scope[];
  readonly writes: boolean;
  /** Whether repeating the write changes nothing. */
  readonly idempotent?: boolean;
  /** Whether the write replaces what was there. */
  readonly overwrites?: boolean;
  /** Of several records, all or none: it takes no expected version. */
  readonly batch?: true;
  /** Told by its name alone, unless it is asked for by that. */
  readonly brief?: true;
  /** Whether its properties are all that a read takes, without an agent whose catalog is meant. */
  readonly agentless?: true;
  /** Whether it connects to systems outside of the catalog. */
  readonly reachesOut?: boolean;
  /** Refused to tokens that read one agent's catalog, or not every tier. */
  readonly confined?: 'refused';
  /** `intercepted`: an interceptor carries it out, and the executor refuses to. */
  readonly execution: 'direct' | 'intercepted';
  /** The stable route that does the same as an intercepted command. */
  readonly route?: string;
}

export interface AgentCommand extends CommandSpec {
  /** Absent from intercepted commands. */
  readonly run?: Run;
}

/** Schema of the parameters as they are sent. */
export function parametersOf(command: CommandSpec): JSONSchema {
  const { properties, required = [], writes, agentless } = command;
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required: [...required] }),
    properties: {
      ...properties,
      ...(writes ? termsOf(command) : !agentless && { agentDefId: agentParameter }),
      format: formatParameter,
    },
  };
}

function termsOf({ overwrites, batch }: CommandSpec): object {
  return { ...(overwrites && !batch && { expectedVersion }), idempotencyKey };
}

const agentParameter = {
  type: 'string',
  format: 'uuid',
  description: 'Agent whose catalog is meant; left out, the token’s own.',
} as const satisfies JSONSchema;

const expectedVersion = {
  type: 'integer',
  minimum: 1,
  description: 'Version that the record must have; another is refused with version_conflict.',
} as const satisfies JSONSchema;

const idempotencyKey = {
  type: 'string',
  pattern: '^[\\x21-\\x7e]{1,255}$',
  description: 'Yours, new for each write: repeated with it, the write is done once.',
} as const satisfies JSONSchema;

export const formatParameter = {
  type: 'string',
  enum: ['raw', 'llm'],
  description: 'raw: JSON. llm: text that costs few tokens.',
} satisfies JSONSchema;

/** Throws Invalid `agent_required` where neither the command nor its caller names one. */
export function requiredAgentOf(parameters: Parameters, context: Pick<CommandContext, 'agentDefId'>): string {
  const agentDefId = agentOf(parameters, context);
  if (agentDefId !== undefined) return agentDefId;
  throw new Invalid('agent_required', 'Name the agent: agentDefId is missing.', [
    { pointer: '/agentDefId', detail: 'is missing' },
  ]);
}

/** The agent that the command names, else the caller's. */
export function agentOf(
  parameters: Parameters,
  { agentDefId }: Pick<CommandContext, 'agentDefId'>,
): string | undefined {
  const named = parameters['agentDefId'];
  return typeof named === 'string' ? named : agentDefId;
}

/** The answer of an interceptor to a command. */
export type Interception =
  | { readonly handled: false }
  | { readonly handled: true; readonly result: CommandResult }
  /** NDJSON, made line by line as it is read. */
  | { readonly handled: true; readonly stream: AsyncIterable<string> };

/** Carries out commands that the executor can't, such as streams. */
export interface CommandInterceptor {
  intercept(command: AgentCommand, parameters: Parameters, context: CommandContext): Promise<Interception>;
}

/** Nest token of the list of {@link CommandInterceptor}s. */
export const INTERCEPTORS = Symbol('CommandInterceptors');

/** Whether the caller may use the command; who may write or administer may also read. */
export function mayUse(
  caller: Pick<Caller, 'scopes' | 'agentDefId' | 'maxTier'>,
  { scope, confined }: Pick<CommandSpec, 'scope' | 'confined'>,
): boolean {
  const { scopes } = caller;
  if (confined === 'refused' && isNarrowedCaller(caller)) return false;
  const reads = scopes.has('catalog:write') || scopes.has('catalog:admin');
  return scope.some((each) => scopes.has(each) || (each === 'catalog:read' && reads));
}
