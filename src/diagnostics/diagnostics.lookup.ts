import { type DriftItem, GatewayDrifts } from '../gateways/public.js';
import { DATABASE, type Database, type Sql } from '../kernel/sql.js';
import { type Caller, covers } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Inject, Injectable } from '@nestjs/common';
import { EffectiveCatalogs, type WithheldTool } from '../effective-catalog/public.js';
import { listPage } from '../platform/database/page.js';
import { visibleRows } from '../platform/database/conditions.js';
import { Problem } from '../platform/http/problem.js';
import type { GatewayReport, GatewayRoundQuery } from './diagnostics.schemas.js';

/** Compares the tools of an agent's catalog with what its gateways list now. */
export interface AgentReport {
  readonly agentDefId: string;
  readonly gateways: readonly {
    readonly gatewayId: string;
    readonly serviceId: string;
    /** Code of the fault that kept it from answering. */
    readonly failure?: string;
  }[];
  /** Tools of the catalog. */
  readonly total: number;
  /** Tools that could not be called now. */
  readonly items: readonly {
    readonly toolId: string;
    readonly toolName: string;
    /** Set where the catalog withholds it; the problems say why. */
    readonly withheld?: boolean;
    readonly problems: readonly Obstacle[];
  }[];
}

/** A gateway that was asked just now. */
export interface FoundGateway {
  readonly gatewayId: string;
  /** The tools that the catalog exposes on it. */
  readonly exposes: ReadonlySet<string>;
  /** What it lists; absent where it could not be asked. */
  readonly items?: readonly DriftItem[];
  /** Code of the fault that kept it from answering. */
  readonly failure?: string;
}

/** A tool that an agent is given, by its skills in one version or several. */
export interface GivenTool {
  readonly toolId: string;
  readonly toolName: string;
  readonly versions: ReadonlySet<string>;
}

/** Why a tool could not be called, at one gateway or at all. */
interface Obstacle {
  readonly code: string;
  readonly gatewayId?: string;
}

/**
 * Finds what keeps an agent from calling a tool; nothing does where one of its gateways lists the tool without a breaking
 * change.
 *
 * @param elsewhere tools that are exposed on gateways which were not asked
 */
export function obstaclesTo(
  tool: GivenTool,
  gateways: readonly FoundGateway[],
  elsewhere: ReadonlySet<string>,
): readonly Obstacle[] {
  const { toolId } = tool;
  const selected = gateways.filter(({ exposes }) => exposes.has(toolId));
  const obstacles = selected.map((gateway) => ({ gateway, code: obstacleAt(gateway, tool) }));
  if (obstacles.some(({ code }) => code === undefined)) return [];
  const found = obstacles.flatMap(({ gateway: { gatewayId }, code }) =>
    code === undefined ? [] : { code, gatewayId },
  );
  if (elsewhere.has(toolId)) return [...found, { code: 'gateway_not_asked' }];
  if (selected.length > 0) return found;
  return [{ code: gateways.length === 0 ? 'no_gateway' : 'not_exposed' }];
}

function obstacleAt({ items, failure }: FoundGateway, { toolId, versions }: GivenTool): string | undefined {
  if (items === undefined) return failure ?? 'gateway_error';
  const own = items.filter((item) => item.toolId === toolId);
  if (own.length === 0) return 'tool_inactive';
  return own.find((item) => isObstacle(item) && (item.version === undefined || versions.has(item.version)))
    ?.finding;
}

function isObstacle({ finding, grade }: DriftItem): boolean {
  return (
    grade === 'breaking' ||
    ['missing_from_gateway', 'inactive_in_catalog', 'policy_blocked'].some((each) => each === finding)
  );
}

/** A gateway that may serve an agent, with those of the agent's tools that the catalog exposes on it. */
interface AgentGateway {
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly toolIds: readonly string[];
}

interface AgentGateways {
  readonly asked: readonly AgentGateway[];
  /** Tools exposed on gateways that the token does not cover, or that are beyond the limit. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Gateways that are asked for one report. */
const MAX_ASKED = 50;

/** Finds the active gateways that the agent names, else those of its environment. */
async function gatewaysOfAgent(
  sql: Sql,
  visibility: Visibility,
  agentDefId: string,
  toolIds: readonly string[],
): Promise<AgentGateways> {
  const rows = await sql.query<AgentGateway & { readonly envTag: string }>(
    `SELECT g.gateway_id AS "gatewayId", g.service_id AS "serviceId", g.env_tag AS "envTag", ARRAY(
       SELECT x.tool_id::text FROM tool_exposure_read x
       WHERE x.host_id = g.host_id AND x.gateway_id = g.gateway_id AND x.active
         AND x.tool_id = ANY($3::uuid[])) AS "toolIds"
     FROM gateway_read g
     JOIN agent_read a ON a.host_id = g.host_id AND CASE WHEN cardinality(a.gateway_ids) > 0
       THEN g.gateway_id::text = ANY(a.gateway_ids) ELSE g.env_tag = a.env_tag END
     WHERE g.host_id = $1 AND a.agent_def_id = $2 AND g.active
     ORDER BY g.service_id COLLATE "C", g.gateway_id`,
    [visibility.hostId, agentDefId, toolIds],
  );
  const asked = rows.filter(({ serviceId, envTag }) => covers(visibility, serviceId, envTag));
  asked.splice(MAX_ASKED);
  const others = rows.filter((row) => !asked.includes(row));
  return { asked, elsewhere: new Set(others.flatMap((gateway) => gateway.toolIds)) };
}

/** Gateways that are asked at once. */
const CONCURRENCY = 4;

interface Asked {
  readonly items?: readonly DriftItem[];
  readonly checkedAt?: string;
  readonly failure?: string;
}

/** Reports on live gateways. Changes nothing. */
@Injectable()
export class LiveDiagnostics {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly drifts: GatewayDrifts,
    private readonly catalogs: EffectiveCatalogs,
  ) {}

  /** Compares every gateway of an environment with the catalog. */
  async environment(
    visibility: Visibility,
    { envTag, limit, cursor }: GatewayRoundQuery,
  ): Promise<{ readonly items: readonly GatewayReport[]; readonly nextCursor?: string }> {
    const where = visibleRows(visibility).add('active').add('env_tag = ?', envTag);
    const { rows, ...next } = await listPage<{ gateway_id: string; service_id: string }>(
      this.database.of(visibility.hostId),
      {
        ...{ select: 'gateway_id, service_id', from: 'gateway_read', where },
        ...{ text: 'service_id', id: 'gateway_id', limit, cursor },
      },
    );
    const items = await eachOf(rows, async ({ gateway_id: gatewayId, service_id: serviceId }) => {
      const { items: found = [], checkedAt, failure } = await this.ask(visibility, gatewayId);
      return {
        ...{
          gatewayId,
          serviceId,
          envTag,
          inSync: found.filter(({ finding }) => finding === 'in_sync').length,
        },
        ...(checkedAt !== undefined && { checkedAt }),
        ...(failure !== undefined && { failure }),
        items: found
          .filter(({ finding }) => finding !== 'in_sync')
          .map(({ before: _before, after: _after, ...item }) => item),
      };
    });
    return { items, ...next };
  }

  /** Finds the tools of the agent's catalog that could not be called now. Throws like the catalog itself. */
  async agent(caller: Caller, visibility: Visibility, agentDefId: string): Promise<AgentReport> {
    const { content, withheld } = await this.catalogs.withWithheld(caller, agentDefId);
    const tools = givenTools(content.skills);
    const disclosed = new Set(tools.keys());
    const sql = this.database.of(visibility.hostId);
    const { asked, elsewhere } = await gatewaysOfAgent(sql, visibility, agentDefId, [...disclosed]);
    const found = await eachOf(asked, (gateway) => this.find(visibility, gateway, disclosed));
    const items = [...tools.values()].flatMap((tool) => {
      const { toolId, toolName } = tool;
      const problems = obstaclesTo(tool, found, elsewhere);
      return problems.length === 0 ? [] : [{ toolId, toolName, problems }];
    });
    return {
      agentDefId,
      gateways: asked.map(({ gatewayId, serviceId }, index) => {
        const failure = found[index]?.failure;
        return { gatewayId, serviceId, ...(failure !== undefined && { failure }) };
      }),
      total: tools.size,
      items: [...items, ...withheldTools(withheld.filter(({ toolId }) => !disclosed.has(toolId)))],
    };
  }

  private async find(
    visibility: Visibility,
    { gatewayId, toolIds }: AgentGateway,
    disclosed: ReadonlySet<string>,
  ): Promise<FoundGateway> {
    const { items, failure } = await this.ask(visibility, gatewayId, disclosed);
    return {
      ...{ gatewayId, exposes: new Set(toolIds) },
      ...(items !== undefined && { items }),
      ...(failure !== undefined && { failure }),
    };
  }

  private async ask(
    visibility: Visibility,
    gatewayId: string,
    disclosed?: ReadonlySet<string>,
  ): Promise<Asked> {
    try {
      return await this.drifts.look(visibility, gatewayId, disclosed);
    } catch (error) {
      if (error instanceof Problem) return { failure: error.code };
      throw error;
    }
  }
}

interface GivenSkill {
  readonly tools: readonly { readonly toolId: string; readonly name: string; readonly version: string }[];
}

function givenTools(skills: readonly GivenSkill[]): ReadonlyMap<string, GivenTool> {
  const given = new Map<string, GivenTool & { readonly versions: Set<string> }>();
  for (const { toolId, name: toolName, version } of skills.flatMap(({ tools }) => tools)) {
    const tool = given.get(toolId) ?? { toolId, toolName, versions: new Set<string>() };
    tool.versions.add(version);
    given.set(toolId, tool);
  }
  return given;
}

/** Lists each withheld tool once, with the reasons of all skills that would offer it. */
function withheldTools(withheld: readonly WithheldTool[]): AgentReport['items'] {
  const reasons = new Map<string, Set<string>>();
  for (const { toolId, reason } of withheld)
    reasons.set(toolId, (reasons.get(toolId) ?? new Set()).add(reason));
  const names = new Map(withheld.map(({ toolId, toolName }) => [toolId, toolName]));
  return [...names].map(([toolId, toolName]) => ({
    ...{ toolId, toolName, withheld: true },
    problems: [...(reasons.get(toolId) ?? [])].map((code) => ({ code })),
  }));
}

/** Works on few at a time; results are in the order given. */
async function eachOf<Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < things.length; start += CONCURRENCY) {
    results.push(...(await Promise.all(things.slice(start, start + CONCURRENCY).map(work))));
  }
  return results;
}
