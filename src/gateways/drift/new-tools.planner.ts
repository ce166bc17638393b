import { v5 } from 'uuid';
import {
  type ApiVersionFacts,
  endpointRecord,
  inactiveAmong,
  knownEndpoints,
} from '../../endpoints/public.js';
import { ImportEndpoint, review, unknownEndpoint } from '../../endpoints/shared.js';
import type { Command } from '../../kernel/command.js';
import { RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { importedVersion, type Importer, type Target, versionFor } from '../../importers/public.js';
import { planPublication, type PublicationConflict } from '../../tools/public.js';
import type { AcceptableFinding } from './drift.schemas.js';
import { exposing } from '../exposure.link.js';
import type { GatewayFacts } from '../gateway.record.js';
import type { LiveTool } from './drift.js';

/** An operator's request to take findings over. */
export interface AcceptanceRequest {
  readonly importer: Importer;
  readonly gateway: GatewayFacts;
  readonly findings: readonly AcceptableFinding[];
  /** Where new tools go whose finding does not say it; else to an API that is made for the gateway. */
  readonly apiVersionId?: string | undefined;
}

export interface NewTools {
  readonly commands: readonly Command[];
  /** What was imported; without a tool where it could not be published. */
  readonly imported: readonly {
    readonly toolName: string;
    readonly endpointId: string;
    readonly toolId?: string;
  }[];
  /** What was imported and could not be published: its name is taken. */
  readonly conflicts: readonly PublicationConflict[];
}

/**
 * Tools that only the gateway knows: endpoints of the gateway's layer alone, published and exposed on it. Each goes where its
 * finding says, else where the request does.
 */
export async function planNewTools(
  sql: Sql,
  request: AcceptanceRequest,
  fresh: readonly LiveTool[],
): Promise<NewTools> {
  const wanted = new Map(
    request.findings
      .filter(({ finding }) => finding === 'not_in_catalog')
      .toReversed()
      .map(({ toolName, apiVersionId = request.apiVersionId }) => [toolName, apiVersionId]),
  );
  const plans: NewTools[] = [];
  for (const place of new Set(fresh.map(({ name }) => wanted.get(name)))) {
    const tools = fresh.filter(({ name }) => wanted.get(name) === place);
    plans.push(await planInto(sql, request, place, tools));
  }
  return {
    commands: plans.flatMap(({ commands }) => commands),
    imported: plans.flatMap(({ imported }) => imported),
    conflicts: plans.flatMap(({ conflicts }) => conflicts),
  };
}

/** @param into undefined for the API that is made for the gateway */
async function planInto(
  sql: Sql,
  { importer, gateway }: AcceptanceRequest,
  into: string | undefined,
  fresh: readonly LiveTool[],
): Promise<NewTools> {
  const { hostId } = importer.visibility;
  const target = await targetOf(sql, { importer, gateway }, into);
  const { apiId, apiVersionId, serviceId, envTag } = target.version;
  const places = fresh.map(({ name, facts, digest }) => {
    const endpoint = `${name}@call`;
    const endpointId = v5(endpoint, apiVersionId);
    const imported = {
      apiId,
      apiVersionId,
      serviceId,
      envTag,
      endpoint,
      layer: 'gateway' as const,
      digest,
      facts,
      mayLoosen: target.mayLoosen,
    };
    return { toolName: name, endpointId, imported };
  });
  const states = await knownEndpoints(
    sql,
    hostId,
    places.map(({ endpointId }) => endpointId),
  );
  const records = places.map(({ endpointId, imported }) =>
    endpointRecord(endpointId, review(states.get(endpointId) ?? unknownEndpoint, imported).after),
  );
  const publication = await planPublication(sql, hostId, records, { onConflict: 'report', named: true });
  const tools = new Map([
    ...publication.commands.map(({ aggregateId, payload }) => [payload.endpointId, aggregateId] as const),
    ...publication.unchanged.map(({ endpointId, toolId }) => [endpointId, toolId] as const),
  ]);
  const exposed = [...tools.values()];
  return {
    commands: [
      ...target.commands,
      ...places.map(
        ({ endpointId, imported }) =>
          new ImportEndpoint(hostId, endpointId, imported, !states.has(endpointId)),
      ),
      ...publication.commands,
      ...exposed.map((toolId) => exposing(hostId, gateway.gatewayId, { toolId })),
    ],
    imported: places.map(({ toolName, endpointId }) => {
      const toolId = tools.get(endpointId);
      return { toolName, endpointId, ...(toolId !== undefined && { toolId }) };
    }),
    conflicts: publication.conflicts,
  };
}

async function targetOf(
  sql: Sql,
  { importer, gateway }: Pick<AcceptanceRequest, 'importer' | 'gateway'>,
  apiVersionId: string | undefined,
): Promise<Target> {
  const { gatewayId, serviceId, envTag } = gateway;
  if (apiVersionId === undefined) {
    const api = { apiId: `gateway-${gatewayId}`, apiName: `Tools of ${serviceId}`.slice(0, 128).trim() };
    const version = { apiVersion: '1.0.0', serviceId, envTag, apiType: 'mcp' as const };
    const target = await versionFor(sql, importer, { ...api, ...version, madeFrom: { format: 'mcp' } });
    await refuseInactive(sql, importer.visibility.hostId, [target.version]);
    return target;
  }
  const target = await importedVersion(sql, importer, apiVersionId);
  await refuseInactive(sql, importer.visibility.hostId, [target.version]);
  const { version } = target;
  if (version.apiType === 'agent' || (version.envTag !== null && version.envTag !== envTag)) {
    const detail = `The API version ${apiVersionId} is that of an agent, or of another environment than the gateway’s.`;
    throw new RuleBroken('api_version_mismatch', detail);
  }
  return target;
}

/** What a gateway lists brings back no API that an operator has switched off. */
export async function refuseInactive(
  sql: Sql,
  hostId: string,
  versions: readonly Pick<ApiVersionFacts, 'apiId' | 'apiVersionId'>[],
): Promise<void> {
  const inactive = versions.find(await inactiveAmong(sql, hostId, versions));
  if (inactive === undefined) return;
  const detail = `The API version ${inactive.apiVersionId} or its API ${inactive.apiId} is inactive. Activate it first.`;
  throw new RuleBroken('api_version_inactive', detail);
}
