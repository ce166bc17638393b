import { v7 } from 'uuid';
import { asOffered, type EndpointRecord, isStream } from '../../endpoints/public.js';
import { Pace } from '../../kernel/pace.js';
import type { Sql } from '../../kernel/sql.js';
import { settingsOf } from '../../settings/public.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { firstMark, firstVersion, shownFields } from '../model/tool-change.js';
import { sourceOf } from '../model/tool-facts.js';
import {
  NameClaims,
  prefixedName,
  shareEnvironment,
  takenInTurn,
  toolNamePattern,
} from '../model/tool-name.js';
import { PublishTool, RefreshTool } from '../model/tool.commands.js';
import { type EndpointTool, nameClaimsOf, toolsOfEndpoints, toolsSeen } from '../tool/tool.lookup.js';

/** A tool that has a name, by what its owners know it by; null of a tool without an endpoint. */
interface NameHolder {
  readonly toolId: string;
  readonly apiId: string | null;
  readonly apiVersion: string | null;
}

/** What to do where the name of an endpoint is taken by another tool. */
export type OnConflict = 'report' | 'prefix';

/** How endpoints are published. */
interface PublicationTerms {
  readonly onConflict: OnConflict;
  /** Whether each endpoint was named: streams, which an agent can't call and get an answer from, are published only then. */
  readonly named: boolean;
}

/** An endpoint that is no tool, and why. */
export interface Unpublished<Code extends string> {
  readonly endpointId: string;
  readonly endpoint: string;
  readonly name: string;
  readonly code: Code;
  readonly detail: string;
}

/** An endpoint that could not be published. */
export interface PublicationConflict extends Unpublished<
  'tool_name_taken' | 'tool_name_unfit' | 'endpoint_inactive'
> {
  /** The tool that has the name, where the reader may see it. */
  readonly heldBy?: NameHolder;
}

/** Tools that come back with their endpoints, find their names taken, and so stay inactive. */
interface Returns {
  readonly conflicts: readonly PublicationConflict[];
  /** Whether the plan still holds; asked under the host's lock. */
  revalidate(sql: Sql): Promise<boolean>;
}

/** The plan that makes endpoints tools. */
export interface Publication extends Returns {
  /**
   * Tools that give up names which are published here, for their endpoints go with the same write. They go before
   * `commands`, so that no name is held twice at any event.
   */
  readonly leaving: readonly RefreshTool[];
  readonly commands: readonly PublishTool[];
  /** Streams, which are published only by name. */
  readonly leftOut: readonly Unpublished<'stream'>[];
  /** The tools that are there already. */
  readonly unchanged: readonly EndpointTool[];
  /** Endpoints that are not offered: they, their API version or its API are inactive. */
  readonly inactive: readonly EndpointRecord[];
}

const fit = new RegExp(toolNamePattern);

/**
 * Plans the tools of endpoints, in their order, with two queries for any number of them. The endpoints are given
 * as they will be after the write that this is part of: those that it makes and changes, and those that it takes
 * out of use (`active: false`), which are not published and whose tools give their names free.
 */
export async function planPublication(
  sql: Sql,
  hostId: string,
  wanted: readonly EndpointRecord[],
  { onConflict, named }: PublicationTerms,
): Promise<Publication> {
  const endpoints = await asOffered(sql, hostId, wanted);
  const facts = await factsOf(sql, hostId, endpoints);
  const { tools, claims } = facts;
  const { autoApprove } = await settingsOf(sql, hostId);
  const active = endpoints.filter((endpoint) => endpoint.active);
  const conflicts = returnsOf(facts, active);
  const commands: PublishTool[] = [];
  const leftOut: Unpublished<'stream'>[] = [];
  // The texts of each endpoint are checked, which takes a while for many.
  const pace = new Pace();
  for (const endpoint of active) {
    await pace.step();
    if (tools.has(endpoint.endpointId)) continue;
    if (!named && isStream(endpoint)) {
      leftOut.push(streamOf(endpoint));
      continue;
    }
    const toolId = v7();
    const name = freeName(endpoint, toolId, claims, onConflict);
    if (name === undefined) conflicts.push(conflictOf(endpoint));
    else {
      claims.add({ toolId, name, version: firstVersion, envTag: endpoint.envTag });
      commands.push(publish(hostId, toolId, { name, autoApprove }, endpoint));
    }
  }
  const unchanged = active.flatMap(({ endpointId }) => tools.get(endpointId) ?? []);
  const inactive = endpoints.filter((endpoint) => !endpoint.active);
  const leaving = leavingFor(hostId, commands, { tools, inactive, autoApprove });
  return { leaving, commands, unchanged, conflicts, leftOut, inactive, revalidate: facts.revalidate };
}

interface Leaving {
  readonly tools: ReadonlyMap<string, EndpointTool>;
  readonly inactive: readonly EndpointRecord[];
  readonly autoApprove: boolean;
}

function leavingFor(
  hostId: string,
  published: readonly PublishTool[],
  { tools, inactive, autoApprove }: Leaving,
): RefreshTool[] {
  const names = new Set(published.map(({ payload }) => payload.name));
  return inactive.flatMap((endpoint) => {
    const tool = tools.get(endpoint.endpointId);
    const holds = tool?.active === true && tool.endpointActive && tool.versionActive;
    if (!holds || !names.has(tool.name)) return [];
    const { kept, ...source } = sourceOf(endpoint);
    const gone = {
      endpointActive: false,
      ...source,
      formerWords: source.words,
      kept: { before: kept, after: kept },
      taken: [],
      autoApprove,
    };
    return [new RefreshTool(hostId, tool.toolId, gone)];
  });
}

function streamOf({ endpointId, endpoint, facts: { name } }: EndpointRecord): Unpublished<'stream'> {
  const detail = `${name} streams, which an agent can't call. To publish it all the same, name its endpointId.`;
  return { endpointId, endpoint, name, code: 'stream', detail };
}

/** Plans what happens to the tools of endpoints that a write changes and does not publish; takes them as they are after it. */
export async function planReturns(
  sql: Sql,
  hostId: string,
  changed: readonly EndpointRecord[],
): Promise<Returns> {
  const endpoints = await asOffered(sql, hostId, changed);
  const facts = await factsOf(sql, hostId, endpoints);
  const active = endpoints.filter((endpoint) => endpoint.active);
  return { conflicts: returnsOf(facts, active), revalidate: facts.revalidate };
}

/** Lets the tools of these endpoints claim their names, in turn, as the reaction to the endpoints' change will. */
function returnsOf({ tools, claims }: Facts, active: readonly EndpointRecord[]): PublicationConflict[] {
  const endpoints = new Map(active.map((endpoint) => [endpoint.endpointId, endpoint]));
  const staying = [...tools.values()].filter((tool) => tool.active && endpoints.has(tool.endpointId));
  const taken = takenInTurn(staying, claims);
  return staying.flatMap((tool) => {
    const endpoint = endpoints.get(tool.endpointId);
    const staysOut = !tool.endpointActive && taken.get(tool.toolId)?.includes(tool.version) === true;
    if (endpoint === undefined || !staysOut) return [];
    const { toolId, name, version } = tool;
    const detail = `Another active tool is called ${name} ${version} by now: the tool ${toolId} stays inactive.`;
    return [
      { endpointId: tool.endpointId, endpoint: endpoint.endpoint, name, code: 'tool_name_taken', detail },
    ];
  });
}

interface Facts {
  /** By endpoint. */
  readonly tools: ReadonlyMap<string, EndpointTool>;
  readonly claims: NameClaims;
  readonly revalidate: (sql: Sql) => Promise<boolean>;
}

async function factsOf(sql: Sql, hostId: string, endpoints: readonly EndpointRecord[]): Promise<Facts> {
  const read = await readFacts(sql, hostId, endpoints);
  const snapshot = JSON.stringify(read);
  return {
    tools: new Map(read.tools.map((tool) => [tool.endpointId, tool])),
    claims: new NameClaims(read.claims),
    revalidate: async (later) => JSON.stringify(await readFacts(later, hostId, endpoints)) === snapshot,
  };
}

async function readFacts(sql: Sql, hostId: string, endpoints: readonly EndpointRecord[]) {
  const tools = await toolsOfEndpoints(
    sql,
    hostId,
    endpoints.map(({ endpointId }) => endpointId),
  );
  const inactive = new Set(endpoints.filter(({ active }) => !active).map(({ endpointId }) => endpointId));
  const leaving = new Set(
    tools.filter(({ endpointId }) => inactive.has(endpointId)).map(({ toolId }) => toolId),
  );
  const wanted = endpoints.flatMap(({ apiId, facts: { name } }) => [name, prefixedName(apiId, name)]);
  const claims = await nameClaimsOf(sql, hostId, [...wanted, ...tools.map(({ name }) => name)], leaving);
  return { tools, claims };
}

function freeName(
  { apiId, envTag, facts }: EndpointRecord,
  toolId: string,
  claims: NameClaims,
  onConflict: OnConflict,
): string | undefined {
  const names = onConflict === 'prefix' ? [facts.name, prefixedName(apiId, facts.name)] : [facts.name];
  if (!fit.test(facts.name)) return undefined;
  return names.find((name) => !claims.takenFrom({ toolId, name, envTag }).includes(firstVersion));
}

function conflictOf({ endpointId, endpoint, facts: { name } }: EndpointRecord): PublicationConflict {
  const [code, detail] = fit.test(name)
    ? ([
        'tool_name_taken',
        `Another active tool of this environment is called ${name} ${firstVersion}.`,
      ] as const)
    : (['tool_name_unfit', `The endpoint has no name that fits ${toolNamePattern}.`] as const);
  return { endpointId, endpoint, name, code, detail };
}

function publish(
  hostId: string,
  toolId: string,
  terms: Pick<PublishTool['payload'], 'name' | 'autoApprove'>,
  endpoint: EndpointRecord,
): PublishTool {
  const { endpointId, apiVersionId, apiId, serviceId, envTag } = endpoint;
  const { words, offered = words, invocation, kept } = sourceOf(endpoint);
  const { inputSchema } = invocation;
  const inForce = shownFields(words, inputSchema, kept);
  const change = firstMark(terms.name, inForce, shownFields(offered, inputSchema, kept));
  return new PublishTool(hostId, toolId, {
    ...{ endpointId, apiVersionId, apiId, serviceId, envTag },
    ...{ ...terms, words, invocation, change },
  });
}

/**
 * Adds to each conflict how to solve it and, where the reader may see the tool that has the name, that tool's API.
 *
 * @param endpoints those that the conflicts are about
 */
export async function explainedConflicts(
  sql: Sql,
  visibility: Visibility,
  conflicts: readonly PublicationConflict[],
  endpoints: readonly EndpointRecord[],
): Promise<readonly PublicationConflict[]> {
  const taken = conflicts.filter(({ code }) => code === 'tool_name_taken');
  if (taken.length === 0) return conflicts;
  const names = [...new Set(taken.map(({ name }) => name))];
  const seen = (await toolsSeen(sql, visibility, { known: { names, endpoints: [] } })).filter(
    ({ active, endpointActive }) => active && endpointActive,
  );
  const records = new Map(endpoints.map((endpoint) => [endpoint.endpointId, endpoint]));
  return conflicts.map((conflict) => {
    const record = records.get(conflict.endpointId);
    if (conflict.code !== 'tool_name_taken' || record === undefined) return conflict;
    const holder = seen.find(
      (tool) => tool.name === conflict.name && shareEnvironment(tool.envTag, record.envTag),
    );
    return explained(conflict, record.apiId, holder);
  });
}

function explained(
  conflict: PublicationConflict,
  apiId: string,
  holder: NameHolder | undefined,
): PublicationConflict {
  const { name } = conflict;
  const settled = `With onConflict: prefix it is published as ${prefixedName(apiId, name)}.`;
  if (holder === undefined) return { ...conflict, detail: `${conflict.detail} ${settled}` };
  const { toolId, apiVersion } = holder;
  const whose =
    holder.apiId === null
      ? 'a tool without an API'
      : `a tool of the API ${holder.apiId} (version ${apiVersion ?? ''})`;
  const detail = `${name} of the API ${apiId} is no tool: ${whose} has this name in the environment. ${settled}`;
  return { ...conflict, detail, heldBy: { toolId, apiId: holder.apiId, apiVersion } };
}
