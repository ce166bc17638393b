import { Put } from '@nestjs/common';
import { NotFound } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { sees } from '../platform/auth/visibility.js';
import { visibleRows } from '../platform/database/conditions.js';
import { resultReply } from '../platform/http/replies.js';
import { receiptsAnswer, uuid } from '../platform/http/schemas.js';
import { bodyOf, idField } from '../platform/records/fields.js';
import { link } from '../platform/records/link.js';
import { LinkReads, linkRoutes } from '../platform/records/link-routes.js';
import { writeRoute } from '../platform/records/routes.js';
import { handle, receiptsOf, UseCase, type Receipts } from '../platform/use-cases/use-case.js';
import { toolFactsOf } from '../tools/public.js';
import {
  exposureEnds,
  exposureFields,
  refuseNamesakes,
  refuseUnfit,
  type Exposure,
  type ExposureBody,
} from './exposure.rules.js';
import { refuseUnfitAddresses } from './gateway.rules.js';
import { exampleRecord, gatewayExampleId } from './gateway.fields.js';
import { requireGateway } from './gateway.record.js';

/** A tool that is selected for a gateway. */
export const toolExposure = link(
  { name: 'ToolExposure', table: 'tool_exposure_t', ends: exposureEnds, fields: exposureFields },
  { missing: ({ gatewayId, toolId }) => new NotFound(`exposure on gateway ${gatewayId} of tool`, toolId) },
);

export function exposing(hostId: string, gatewayId: string, wanted: ExposureBody) {
  const { toolId, targetHost = null, protocol = null, runtime = {} } = wanted;
  return toolExposure.put(hostId, { gatewayId, toolId, targetHost, protocol, runtime }, undefined);
}

/** The most tools of one gateway. */
const MAX_TOOLS = 5000;

/**
 * Exposes just these tools on the gateway: others are removed first. Tools that the token does not cover are neither exposed
 * nor removed.
 */
export class SelectTools extends UseCase<
  { readonly gatewayId: string; readonly tools: readonly ExposureBody[] },
  Receipts<{ readonly toolId: string }>
> {}

export const exposureHandlers = [
  handle(SelectTools, {
    check({ tools }) {
      const addresses = tools.flatMap(({ targetHost: address, runtime }, index) => [
        ...(address === undefined ? [] : [{ pointer: `/tools/${String(index)}/targetHost`, address }]),
        ...targetsIn(runtime).map(({ targetHost }, place) => ({
          pointer: `/tools/${String(index)}/runtime/targets/${String(place)}/targetHost`,
          address: targetHost,
        })),
      ]);
      return refuseUnfitAddresses(tools, addresses);
    },
    async load(sql, { gatewayId, tools }, { visibility }) {
      const { envTag } = await requireGateway(sql, visibility, gatewayId);
      const present = await exposuresOf(sql, visibility.hostId, gatewayId);
      const ids = new Set([...tools, ...present].map(({ toolId }) => toolId));
      const known = await toolFactsOf(sql, visibility.hostId, [...ids]);
      const covered = [...known].filter(([toolId, tool]) =>
        sees(visibility, tool, (within) => within.toolIds.includes(toolId)),
      );
      return { envTag, present, covered: new Map(covered) };
    },
    decide({ envTag, present, covered }, { gatewayId, tools }, { visibility: { hostId } }) {
      const named = new Set(tools.map(({ toolId }) => toolId));
      const goes = ({ toolId }: Exposure): boolean => !named.has(toolId) && covered.has(toolId);
      refuseUnfit(envTag, tools, covered);
      refuseNamesakes(
        tools,
        covered,
        present.filter((exposure) => !goes(exposure)),
      );
      return [
        ...present
          .filter(goes)
          .map(({ toolId }) => toolExposure.remove(hostId, { gatewayId, toolId }, undefined)),
        ...tools.map((tool) => exposing(hostId, gatewayId, tool)),
      ];
    },
    result: receiptsOf(({ command }) => ({ toolId: (command.payload as Exposure).toolId })),
  }),
];

/** Where the steps of a composite go; the schema of the body has looked at their shape. */
function targetsIn(runtime: ExposureBody['runtime']): readonly { readonly targetHost: string }[] {
  return (
    (runtime as { readonly targets?: readonly { readonly targetHost: string }[] } | undefined)?.targets ?? []
  );
}

/** Loads the tools exposed on a gateway now, each with the name under which the gateway lists it. */
async function exposuresOf(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<readonly (Exposure & { readonly name: string })[]> {
  return sql.query(
    `SELECT x.gateway_id AS "gatewayId", x.tool_id AS "toolId", x.target_host AS "targetHost", x.protocol,
            x.runtime, t.name
     FROM tool_exposure_t x JOIN tool_read t ON t.host_id = x.host_id AND t.tool_id = x.tool_id
     WHERE x.host_id = $1 AND x.gateway_id = $2 AND x.active ORDER BY x.tool_id`,
    [hostId, gatewayId],
  );
}

/** Returns which of the tools another active gateway exposes as well. */
export async function exposedElsewhere(
  sql: Sql,
  hostId: string,
  gatewayId: string,
  toolIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ readonly toolId: string }>(
    `SELECT x.tool_id AS "toolId" FROM tool_exposure_t x
     JOIN gateway_t g ON g.host_id = x.host_id AND g.gateway_id = x.gateway_id
     WHERE x.host_id = $1 AND x.gateway_id <> $2 AND x.tool_id = ANY($3::uuid[]) AND x.active AND g.active`,
    [hostId, gatewayId, toolIds],
  );
  return new Set(rows.map(({ toolId }) => toolId));
}

/** Finds how the tool is exposed on the gateway, or was before it was taken off. */
export async function formerExposure(
  sql: Sql,
  hostId: string,
  gatewayId: string,
  toolId: string,
): Promise<Omit<ExposureBody, 'toolId'>> {
  const [row] = await sql.query<Exposure>(
    `SELECT target_host AS "targetHost", protocol, runtime FROM tool_exposure_t
     WHERE host_id = $1 AND gateway_id = $2 AND tool_id = $3`,
    [hostId, gatewayId, toolId],
  );
  if (row === undefined) return {};
  const { targetHost, protocol, runtime } = row;
  return {
    runtime,
    ...(targetHost !== null && { targetHost }),
    ...(protocol !== null && { protocol }),
  };
}

/** Reads exposures: whoever sees gateway and tool sees the exposure. */
export const exposureReads = new LinkReads(toolExposure, {
  join: 'JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id',
  select: 't.name AS tool_name, t.active AS tool_active, t.service_id, t.env_tag, t.sensitivity_tier',
  shows: {
    toolName: { type: 'string' },
    toolActive: { type: 'boolean', description: 'False: it is selected, and left out of the configuration.' },
  },
  orderBy: 'toolName',
  keepsRemoved: true,
  requireParent: requireGateway,
  visible: (visibility) => visibleRows(visibility, { limits: ['services', 'environments', 'tiers'] }),
});

const toolId = '0198c0de-0000-7000-8000-00000000c001';
const newExposureExample = { toolId, targetHost: 'https://accounts.example.com' };
const exposureExample = {
  gatewayId: gatewayExampleId,
  ...newExposureExample,
  toolName: 'getAccountByNo',
  toolActive: true,
  protocol: null,
  runtime: {},
  ...exampleRecord,
  position: 22,
};
const exposureReceipt = {
  id: '6d8f7a52-6b0f-5d0a-9a86-2f6a5f0f3c11',
  version: 1,
  position: 22,
  changed: true,
  toolId,
};

const path = 'gateways/:gatewayId/exposures';

export const exposureRoutes = [
  ...linkRoutes(exposureReads, {
    path,
    operations: { one: 'ToolExposure', many: 'ToolExposures' },
    access: { scope: 'catalog:admin' },
    list: {
      summary: 'List the tools that a gateway exposes',
      description: 'Ordered by the name of the tool; those that the token does not cover are left out.',
    },
    get: {
      summary: 'Get a tool of a gateway',
      description: 'Also where it was taken off: then `active` is false.',
    },
    example: { answer: exposureExample },
  }),
  writeRoute(
    [Put, path],
    {
      id: 'putToolExposures',
      summary: 'Select the tools that a gateway exposes',
      description:
        'The whole selection: what is no longer named is taken off. Refused with `tool_not_found`, ' +
        '`environment_mismatch` for a tool of another environment, and `exposure_name_taken` where two tools would be ' +
        'listed under one name. An inactive tool may be selected; it is left out of the configuration.',
      scope: 'catalog:admin',
      confined: 'refused',
      batch: true,
      body: {
        type: 'object',
        additionalProperties: false,
        required: ['tools'],
        properties: {
          tools: {
            type: 'array',
            maxItems: MAX_TOOLS,
            items: bodyOf({ toolId: idField, ...exposureFields }),
            description: 'All that the gateway shall expose.',
          },
        },
      },
      answer: receiptsAnswer('ToolExposureReceipt', { toolId: uuid }),
      example: { body: { tools: [newExposureExample] }, answer: { items: [exposureReceipt], position: 22 } },
    },
    SelectTools,
    resultReply,
  ),
];
