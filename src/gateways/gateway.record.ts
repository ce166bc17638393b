import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { visibleRows } from '../platform/database/conditions.js';
import { idField } from '../platform/records/fields.js';
import { record } from '../platform/records/record.js';
import { RecordReads } from '../platform/records/record-reads.js';
import { recordRoutes } from '../platform/records/record-routes.js';
import { handle, UseCase } from '../platform/use-cases/use-case.js';
import { refuseUnfitAddresses } from './gateway-address.js';
import { gatewayExample, gatewayReceipt, newGatewayExample } from './gateway.examples.js';
import { gatewayIdentity, gatewaySettings, type GatewayProfile } from './gateway.fields.js';
import { findGateway, reaches, requireGateway } from './gateway.lookup.js';

/** What executes tools for a service and environment. Inactive, its exposures stay and count no longer. */
export const gateway = record(
  {
    name: 'Gateway',
    noun: 'gateway',
    table: 'gateway_t',
    id: { gatewayId: idField },
    fixed: gatewayIdentity,
    fields: gatewaySettings,
    lifecycle: 'switched',
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

export const gatewayHandlers = [
  handle(PutGateway, {
    check: ({ gatewayId: _id, ...body }) =>
      refuseUnfitAddresses(body, [{ pointer: '/url', address: body.url }]),
    async load(sql, { gatewayId, ...profile }, { visibility }) {
      const { hostId } = visibility;
      const known = await findGateway(sql, hostId, gatewayId);
      if (!reaches(visibility, known ?? profile)) throw new NotFound('gateway', gatewayId);
      return known === undefined ? gateway.held(sql, hostId, gatewayId, profile) : { heldBy: null };
    },
    decide: (held, { gatewayId, ...profile }, { context }) => [
      gateway.put(context.hostId, gatewayId, profile, held),
    ],
  }),
  handle(ActivateGateway, {
    async load(sql, { gatewayId }, { visibility }) {
      await requireGateway(sql, visibility, gatewayId);
      return gateway.held(sql, visibility.hostId, gatewayId, {});
    },
    decide: (held, { gatewayId }, { context }) => [gateway.activate(context.hostId, gatewayId, held)],
  }),
  handle(DeactivateGateway, {
    load: (sql, { gatewayId }, { visibility }) => requireGateway(sql, visibility, gatewayId),
    decide: (_known, { gatewayId }, { context }) => [gateway.deactivate(context.hostId, gatewayId)],
  }),
];

export const gatewayReads = new RecordReads(gateway.spec, {
  // None with `agent_def_id`: no gateway is part of an agent's catalog.
  visible: (visibility) => visibleRows(visibility),
  orderBy: 'serviceId',
  filters: { serviceId: gatewayIdentity.serviceId.answered, envTag: gatewayIdentity.envTag.answered },
});

export const gatewayRoutes = recordRoutes(gatewayReads, {
  path: 'gateways',
  operations: { one: 'Gateway', many: 'Gateways' },
  access: { scope: 'catalog:admin' },
  list: {
    summary: 'List gateways',
    description: 'Those whose service and environment the token covers, ordered by service.',
    example: { envTag: 'dev' },
  },
  get: { summary: 'Get a gateway' },
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
  example: { body: newGatewayExample, answer: gatewayExample, receipt: gatewayReceipt },
});
