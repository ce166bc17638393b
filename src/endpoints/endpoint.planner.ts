import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { refuseLessGuarded } from '../platform/auth/claims.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { handle, receiptOf, UseCase, type Receipt } from '../platform/use-cases/use-case.js';
import { redacted, type SecretWarning } from '../platform/validation/secrets-in-texts.js';
import { type Classification, taxonomyOf } from '../taxonomy/public.js';
import { endpointExampleId } from './api.examples.js';
import * as endpoint from './endpoint.commands.js';
import { effectiveOf } from './endpoint.effective.js';
import { type Choice, override, settle } from './endpoint.overrides.js';
import type { EndpointPatch } from './endpoint.schemas.js';
import { awaitsAdministrator, type KnownEndpoint } from './endpoint.state.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.columns.js';
import { requireEndpoint, visibleEndpoints } from './endpoints.filter.js';
import { deactivation, type Deactivated } from './impact.lookup.js';
import type { EndpointFacts } from '../formats/shared.js';
import type { Layers } from './endpoint.layers.js';
import { loosened } from './safety-policy.js';

interface Id {
  readonly endpointId: string;
}

/** Overrides fields of an endpoint. */
export class UpdateEndpoint extends UseCase<
  Id & EndpointPatch,
  Receipt & { readonly warnings?: readonly SecretWarning[] }
> {}
/** Settles a conflict. Taking an offer that loosens a guard needs an administrator, as in {@link UpdateEndpoint}. */
export class SettleEndpoint extends UseCase<Id & Choice> {}
/** Accepts the changes of documents. Loosened guards and suspicious changes need an administrator. */
export class AcceptEndpoint extends UseCase<Id> {}
export class ActivateEndpoint extends UseCase<Id> {}
export class DeactivateEndpoint extends UseCase<Id, Deactivated> {}
export class PutEndpointTaxonomy extends UseCase<Classification<'endpointId'>> {}

export const endpointTaxonomy = taxonomyOf({
  ...{
    entityType: 'endpoint',
    path: 'endpoints/:endpointId',
    id: 'endpointId',
    exampleId: endpointExampleId,
  },
  ...{ useCase: PutEndpointTaxonomy, requireSeen: requireEndpoint },
});

export const endpointHandlers = [
  handle(UpdateEndpoint, {
    prepare: ({ endpointId: _id, ...sent }) => redacted(sent),
    async load(sql, { endpointId }, { caller, visibility }, { body, warnings }) {
      const { layers, beneath } = await visibleEndpoint(sql, visibility, endpointId);
      checkLoosening(caller, layers, override(layers, beneath, body).overrides);
      return { body, warnings };
    },
    decide: ({ body }, { endpointId }, { context }) => [
      new endpoint.OverrideEndpoint(context.hostId, endpointId, body),
    ],
    result: (outcomes, position, { warnings }) => ({
      ...receiptOf(outcomes, position),
      ...(warnings.length > 0 && { warnings }),
    }),
  }),
  handle(SettleEndpoint, {
    async load(sql, { endpointId, ...choice }, { caller, visibility }) {
      const known = await visibleEndpoint(sql, visibility, endpointId);
      checkLoosening(caller, known.layers, settle(known, choice).overrides);
    },
    decide: (_facts, { endpointId, ...choice }, { context }) => [
      new endpoint.SettleConflict(context.hostId, endpointId, choice),
    ],
  }),
  handle(AcceptEndpoint, {
    async load(sql, { endpointId }, { caller, visibility }) {
      const known = await visibleEndpoint(sql, visibility, endpointId);
      refuseLessGuarded(caller, awaitsAdministrator(known));
    },
    decide: (_facts, { endpointId }, { context }) => [
      new endpoint.AcceptEndpointChanges(context.hostId, endpointId, {}),
    ],
  }),
  handle(ActivateEndpoint, {
    load: (sql, { endpointId }, { visibility }) => requireEndpoint(sql, visibility, endpointId),
    decide: (_facts, { endpointId }, { context }) => [
      new endpoint.ActivateEndpoint(context.hostId, endpointId, {}),
    ],
  }),
  deactivation(DeactivateEndpoint, {
    ...{ kind: 'endpoint', id: 'endpointId', requireSeen: requireEndpoint },
    command: (hostId, endpointId) => new endpoint.DeactivateEndpoint(hostId, endpointId, {}),
  }),
  endpointTaxonomy.handler,
];

/** Refuses overrides that loosen a guard without `catalog:admin` (docs/contract.md, section 2). */
function checkLoosening(caller: Caller, layers: Layers, operator: EndpointFacts): void {
  const after = effectiveOf({ ...layers, operator });
  refuseLessGuarded(caller, loosened(effectiveOf(layers).facts, after.facts).length > 0);
}

/** Throws NotFound, also for what the token does not cover (docs/contract.md, section 2). */
async function visibleEndpoint(sql: Sql, visibility: Visibility, endpointId: string): Promise<KnownEndpoint> {
  const where = visibleEndpoints(visibility).add('endpoint_id = ?', endpointId);
  const [row] = await sql.query<StateColumns>(
    `SELECT ${stateColumns.join(', ')} FROM api_endpoint_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('endpoint', endpointId);
  return endpointOf(row);
}
