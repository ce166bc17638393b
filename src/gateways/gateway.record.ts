import { NotFound, RuleBroken } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { sees, type Visibility } from '../platform/auth/visibility.js';
import { visibleRows } from '../platform/database/conditions.js';
import { idField } from '../platform/records/fields.js';
import { recordHandlers } from '../platform/records/record-handlers.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import { record } from '../platform/records/record.js';
import { UseCase } from '../platform/use-cases/use-case.js';
import { refuseUnfitIdentity } from './caller-identity.rules.js';
import { refuseUnfitAddresses } from './gateway.rules.js';
import {
  gatewayIdentity,
  type GatewayProfile,
  gatewaySettings,
  gatewayExample,
  gatewayExampleId,
  newGatewayExample,
} from './gateway.fields.js';

/** A gateway executes the tools of a service and environment. Inactive, it keeps its exposures, and they no longer count. */
export const gateway = record(
  {
    name: 'Gateway',
    noun: 'gateway',
    table: 'gateway_t',
    id: { gatewayId: idField },
    fixed: gatewayIdentity,
    fields: gatewaySettings,
    lifecycle: 'switched',
    touches: 'everybody',
    unique: {
      constraint: 'gateway_identity_uk',
      by: ['serviceId', 'envTag'],
      among: 'active',
      code: 'gateway_exists',
      detail: (holder) =>
        `The active gateway ${holder} is that of this service and environment already. Change it, or deactivate it first.`,
      raced: 'Another active gateway is that of this service and environment already.',
    },
  },
  {
    write({ id, current, changed }) {
      if (current === null || (changed.serviceId ?? changed.envTag) === undefined) return;
      const { serviceId, envTag } = current.fields;
      throw new RuleBroken(
        'gateway_identity_fixed',
        `Gateway ${id} is that of ${serviceId} in ${envTag} for good. Register another gateway under a new id.`,
      );
    },
  },
);

interface Id {
  readonly gatewayId: string;
}

/** Writes the whole profile, of a new gateway or of one that is there. */
export class PutGateway extends UseCase<Id & GatewayProfile> {}
export class ActivateGateway extends UseCase<Id> {}
export class DeactivateGateway extends UseCase<Id> {}

export const gatewayHandlers = recordHandlers(
  gateway,
  { put: PutGateway, activate: ActivateGateway, deactivate: DeactivateGateway },
  {
    async check(body) {
      const { tokenEndpoint } = body.callerIdentity;
      await refuseUnfitAddresses(body, [
        { pointer: '/url', address: body.url },
        ...(tokenEndpoint === undefined
          ? []
          : [{ pointer: '/callerIdentity/tokenEndpoint', address: tokenEndpoint }]),
      ]);
      refuseUnfitIdentity(body.callerIdentity);
    },
    requireSeen: (sql, { visibility }, id) => requireGateway(sql, visibility, id),
    async facts(sql, { visibility }, { id, given: { serviceId = '', envTag = '' } }) {
      const known = await findGateway(sql, visibility.hostId, id);
      if (!sees(visibility, known ?? { serviceId, envTag })) throw new NotFound('gateway', id);
      return {};
    },
  },
);

const gatewayReads = new RecordReads(gateway.spec, {
  // No gateway is part of an agent's catalog: a token with `agent_def_id` sees none.
  visible: (visibility) => visibleRows(visibility),
  orderBy: 'serviceId',
  filters: { serviceId: gatewayIdentity.serviceId.answered, envTag: gatewayIdentity.envTag.answered },
  search: { in: ['serviceId', 'url'], description: 'Part of the service or the address, case aside.' },
});

export const gatewayRoutes = recordRoutes(gatewayReads, {
  path: 'gateways',
  access: { scope: 'catalog:admin' },
  list: {
    description: 'Those whose service and environment the token covers, ordered by service.',
    example: { envTag: 'dev' },
  },
  put: {
    useCase: PutGateway,
    summary: 'Register a gateway, or change it',
    description:
      'Writes the whole profile: 201 where it is new; what is left out takes its default. Host, service and ' +
      'environment identify a gateway: a second active one is refused with `gateway_exists`, and a known one can’t ' +
      'move to another (`gateway_identity_fixed`). No connection is made.',
  },
  activate: {
    useCase: ActivateGateway,
    summary: 'Activate a gateway',
    description: 'Refused with `gateway_exists` where another one has taken its service and environment.',
  },
  deactivate: {
    useCase: DeactivateGateway,
    summary: 'Deactivate a gateway',
    description: 'Its exposures stay and no longer count; it is not checked any more.',
  },
  example: {
    body: newGatewayExample,
    answer: gatewayExample,
    receipt: { id: gatewayExampleId, version: 1, position: 21, changed: true },
  },
});

/** A gateway as it is now. */
export interface GatewayFacts extends GatewayProfile {
  readonly gatewayId: string;
  readonly active: boolean;
}

/** Reads a gateway, active or not. */
export async function findGateway(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<GatewayFacts | undefined> {
  const found = await gateway.find(sql, hostId, gatewayId);
  return found && { gatewayId, ...found };
}

/** Returns which of the ids are gateways of the host, active or not. */
export async function knownGateways(
  sql: Sql,
  hostId: string,
  gatewayIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ readonly id: string }>(
    'SELECT gateway_id AS id FROM gateway_t WHERE host_id = $1 AND gateway_id = ANY ($2::uuid[])',
    [hostId, gatewayIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Throws NotFound, also for a gateway that the token does not cover, and for a token with `agent_def_id`. */
export async function requireGateway(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
): Promise<GatewayFacts> {
  const found = await findGateway(sql, visibility.hostId, gatewayId);
  if (found === undefined || !sees(visibility, found)) throw new NotFound('gateway', gatewayId);
  return found;
}
