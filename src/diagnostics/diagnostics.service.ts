import { Inject, Injectable } from '@nestjs/common';
import { EffectiveCatalogs, type WithheldTool } from '../effective-catalog/effective-catalogs.lookup.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { GatewayDrifts, type DriftItem } from '../gateways/gateway-drifts.port.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import { visibleRows } from '../platform/database/visible-rows.js';
import { Problem } from '../platform/http/problem.js';
import type { AgentDiagnostics, AgentReport } from './agent-diagnostics.port.js';
import { obstaclesTo, type FoundGateway } from './callability.js';
import type { GatewayReport, GatewayRoundQuery } from './diagnostics.schemas.js';
import { gatewaysOfAgent, type AgentGateway } from './gateway-rounds.lookup.js';

/** Gateways that are asked at once. */
const atOnce = 4;

interface Asked {
  readonly items?: readonly DriftItem[];
  readonly checkedAt?: string;
  readonly failure?: string;
}

/** Reports that ask live gateways. They change nothing. */
@Injectable()
export class LiveDiagnostics implements AgentDiagnostics {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly drifts: GatewayDrifts,
    private readonly catalogs: EffectiveCatalogs,
  ) {}

  /** The gateways of an environment, side by side. */
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

  /** Which tools of the agent's catalog could not be called now, and why. Throws like the catalog itself. */
  async agent(caller: Caller, visibility: Visibility, agentDefId: string): Promise<AgentReport> {
    const { content, withheld } = await this.catalogs.withWithheld(caller, agentDefId);
    const tools = new Map(
      content.skills.flatMap(({ tools: own }) => own.map(({ toolId, name }) => [toolId, name] as const)),
    );
    const disclosed = new Set(tools.keys());
    const sql = this.database.of(visibility.hostId);
    const { asked, elsewhere } = await gatewaysOfAgent(sql, visibility, agentDefId, [...disclosed]);
    const found = await eachOf(asked, (gateway) => this.find(visibility, gateway, disclosed));
    const items = [...tools].flatMap(([toolId, toolName]) => {
      const problems = obstaclesTo(toolId, found, elsewhere);
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

/** Each tool once, with the reason of each skill that would offer it. */
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

/** Results in the order of the things; few at a time. */
async function eachOf<Thing, Result>(
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < things.length; start += atOnce) {
    results.push(...(await Promise.all(things.slice(start, start + atOnce).map(work))));
  }
  return results;
}
