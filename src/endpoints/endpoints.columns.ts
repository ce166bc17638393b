import { tierOf } from '../platform/auth/sensitivity-tier.js';
import { conflictsOf } from './endpoint.conflicts.js';
import { effectiveOf, enrichmentOf, toolMetadataOf } from './endpoint.effective.js';
import { isActive, isChanged, type KnownEndpoint } from './endpoint.state.js';
import type { EndpointRow } from './endpoints.row.js';
import type { Layers, Provenance } from './endpoint.layers.js';
import { searchableText, searchableTexts, searchKeys } from './searchable-texts.js';

/** Maps the state of an endpoint to its row and back. */
type Audit = 'host_id' | 'endpoint_id' | 'position' | 'aggregate_version' | 'update_ts' | 'update_user';
type Columns = Omit<EndpointRow, Audit>;

/** The row that an endpoint is stored as, less its key and audit columns. */
export function columnsOf(known: KnownEndpoint): Columns {
  const effective = effectiveOf(known.layers);
  const { facts, provenance } = effective;
  const { enrichment, gaps } = enrichmentOf(effective);
  return {
    api_version_id: known.apiVersionId,
    api_id: known.apiId,
    service_id: known.serviceId,
    env_tag: known.envTag,
    endpoint: known.endpoint,
    http_method: facts.method,
    endpoint_path: facts.path,
    endpoint_name: facts.name,
    endpoint_desc: facts.description,
    source_protocol: facts.sourceProtocol,
    lifecycle_status: facts.lifecycleStatus,
    routing_domain: searchableText(facts.routing.domain),
    semantic_namespace: searchableText(facts.routing.semanticNamespace),
    category: searchableText(facts.routing.category),
    document_tags: searchableTexts(facts.tags),
    sensitivity_tier: tierOf(facts.routing.sensitivityTier),
    semantic_weight: Math.fround(facts.routing.semanticWeight),
    cost_tier: facts.routing.costTier ?? null,
    target_personas: facts.routing.targetPersonas ?? [],
    persona_keys: searchKeys(facts.routing.targetPersonas),
    tool_schema: facts.inputSchema,
    response_schema: facts.outputSchema ?? null,
    tool_metadata: toolMetadataOf(facts),
    layers: shelved(known.layers, provenance),
    provenance,
    digests: known.digests,
    beneath: known.beneath,
    settled: known.settled,
    accepted: known.accepted,
    suspicious: known.suspicious,
    changed: isChanged(known),
    conflicts: conflictsOf(known),
    gaps,
    enrichment,
    vanished: known.vanished,
    deactivated: known.deactivated,
    active: isActive(known),
  };
}

/** The columns that the state is read from. */
export const stateColumns = [
  'api_id',
  'api_version_id',
  'service_id',
  'env_tag',
  'endpoint',
  'tool_schema',
  'response_schema',
  'layers',
  'provenance',
  'digests',
  'beneath',
  'settled',
  'accepted',
  'suspicious',
  'vanished',
  'deactivated',
] as const satisfies readonly (keyof Columns)[];
export type StateColumns = Pick<Columns, (typeof stateColumns)[number]>;

export function endpointOf(row: StateColumns): KnownEndpoint {
  return {
    status: 'known',
    apiId: row.api_id,
    apiVersionId: row.api_version_id,
    endpoint: row.endpoint,
    serviceId: row.service_id,
    envTag: row.env_tag,
    layers: unshelved(row),
    digests: row.digests,
    vanished: row.vanished,
    deactivated: row.deactivated,
    beneath: row.beneath,
    settled: row.settled,
    accepted: row.accepted,
    suspicious: row.suspicious,
  };
}

/** Leaves schemas out of a layer that a column of their own holds: they are most of a row's bytes. */
const shelves = [
  ['inputSchema', 'tool_schema'],
  ['outputSchema', 'response_schema'],
] as const;

function shelved(layers: Layers, provenance: Provenance): Layers {
  const left = { ...layers };
  for (const [member] of shelves) {
    const layer = provenance[member];
    if (layer === undefined) continue;
    const { [member]: _, ...facts } = left[layer] ?? {};
    left[layer] = facts;
  }
  return left;
}

function unshelved(row: StateColumns): Layers {
  const whole = { ...row.layers };
  for (const [member, column] of shelves) {
    const layer = row.provenance[member];
    const schema = row[column];
    if (layer !== undefined && schema !== null) whole[layer] = { ...whole[layer], [member]: schema };
  }
  return whole;
}
