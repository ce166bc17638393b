import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { requireScope } from '../platform/auth/claims.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Writer } from '../platform/http/parameters.js';
import { ActivateEndpoint, DeactivateEndpoint, OverrideEndpoint } from './endpoint.commands.js';
import { effectiveOf } from './endpoint.effective.js';
import { override } from './endpoint.overrides.js';
import type { EndpointPatch } from './endpoint.schemas.js';
import type { KnownEndpoint } from './endpoint.state.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.columns.js';
import { visibleEndpoints } from './endpoints.filter.js';
import { loosened } from './safety-policy.js';

export async function planOverride(
  sql: Sql,
  { caller, visibility }: Pick<Writer, 'caller' | 'visibility'>,
  endpointId: string,
  patch: EndpointPatch,
): Promise<Command[]> {
  const { layers, beneath } = await visibleEndpoint(sql, visibility, endpointId);
  const { overrides } = override(layers, beneath, patch);
  const after = effectiveOf({ ...layers, operator: overrides });
  if (loosened(effectiveOf(layers).facts, after.facts).length > 0) requireScope(caller, 'catalog:admin');
  return [new OverrideEndpoint(visibility.hostId, endpointId, patch)];
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
