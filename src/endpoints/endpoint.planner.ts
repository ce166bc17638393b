import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { refuseLessGuarded } from '../platform/auth/less-guarded.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Writer } from '../platform/http/parameters.js';
import {
  AcceptEndpointChanges,
  ActivateEndpoint,
  DeactivateEndpoint,
  OverrideEndpoint,
  SettleConflict,
} from './endpoint.commands.js';
import { effectiveOf } from './endpoint.effective.js';
import { override } from './endpoint.overrides.js';
import type { EndpointPatch } from './endpoint.schemas.js';
import { settle, type Choice } from './endpoint.settlement.js';
import { awaitsAdministrator, type KnownEndpoint } from './endpoint.state.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.columns.js';
import { visibleEndpoints } from './endpoints.filter.js';
import type { EndpointFacts } from '../formats/endpoint-facts.js';
import type { Layers } from './endpoint.layers.js';
import { loosened } from './safety-policy.js';

export async function planOverride(
  sql: Sql,
  { caller, visibility }: Pick<Writer, 'caller' | 'visibility'>,
  endpointId: string,
  patch: EndpointPatch,
): Promise<Command[]> {
  const { layers, beneath } = await visibleEndpoint(sql, visibility, endpointId);
  checkLoosening(caller, layers, override(layers, beneath, patch).overrides);
  return [new OverrideEndpoint(visibility.hostId, endpointId, patch)];
}

/** Taking an offer may take back the word that tightened a guard: that is the administrator's, like {@link planOverride}. */
export async function planSettlement(
  sql: Sql,
  { caller, visibility }: Pick<Writer, 'caller' | 'visibility'>,
  endpointId: string,
  choice: Choice,
): Promise<Command[]> {
  const known = await visibleEndpoint(sql, visibility, endpointId);
  checkLoosening(caller, known.layers, settle(known, choice).overrides);
  return [new SettleConflict(visibility.hostId, endpointId, choice)];
}

/** What a document loosens or turns suspicious is the administrator's to accept. */
export async function planAcceptance(
  sql: Sql,
  { caller, visibility }: Pick<Writer, 'caller' | 'visibility'>,
  endpointId: string,
): Promise<Command[]> {
  const known = await visibleEndpoint(sql, visibility, endpointId);
  refuseLessGuarded(caller, awaitsAdministrator(known));
  return [new AcceptEndpointChanges(visibility.hostId, endpointId, {})];
}

/** Other words of the operator that loosen a guard need `catalog:admin` (contract 2). */
function checkLoosening(caller: Caller, layers: Layers, operator: EndpointFacts): void {
  const after = effectiveOf({ ...layers, operator });
  refuseLessGuarded(caller, loosened(effectiveOf(layers).facts, after.facts).length > 0);
}

export async function planDeactivation(
  sql: Sql,
  visibility: Visibility,
  endpointId: string,
): Promise<Command[]> {
  await visibleEndpoint(sql, visibility, endpointId);
  return [new DeactivateEndpoint(visibility.hostId, endpointId, {})];
}

export async function planActivation(
  sql: Sql,
  visibility: Visibility,
  endpointId: string,
): Promise<Command[]> {
  await visibleEndpoint(sql, visibility, endpointId);
  return [new ActivateEndpoint(visibility.hostId, endpointId, {})];
}

/** What the token does not cover answers like what does not exist (contract 2). */
async function visibleEndpoint(sql: Sql, visibility: Visibility, endpointId: string): Promise<KnownEndpoint> {
  const where = visibleEndpoints(visibility).add('endpoint_id = ?', endpointId);
  const [row] = await sql.query<StateColumns>(
    `SELECT ${stateColumns.join(', ')} FROM api_endpoint_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('endpoint', endpointId);
  return endpointOf(row);
}
