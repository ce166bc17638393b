import { tableOf } from '../platform/database/row-changes.js';
import type { EndpointFacts } from '../formats/shared.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { Baseline, Conflict, Settled } from './endpoint.conflicts.js';
import type { Enrichment, SemanticField } from './endpoint.effective.js';
import type { Layer, Layers, Provenance } from './endpoint.layers.js';

type JsonObject = Record<string, unknown>;

export interface EndpointRow {
  readonly host_id: string;
  readonly endpoint_id: string;
  readonly api_version_id: string;
  readonly api_id: string;
  /** Copied from the API version, so that one keyed read tells who may see the endpoint. */
  readonly service_id: string;
  readonly env_tag: string | null;
  /** The endpoint key. */
  readonly endpoint: string;
  readonly http_method: string;
  readonly endpoint_path: string;
  readonly endpoint_name: string;
  readonly endpoint_desc: string;
  readonly source_protocol: string;
  readonly lifecycle_status: NonNullable<EndpointFacts['lifecycleStatus']>;
  readonly routing_domain: string | null;
  readonly semantic_namespace: string | null;
  readonly category: string | null;
  /** As the document has them. */
  readonly document_tags: readonly string[];
  /** The tier that the raw word in `tool_metadata` stands for. */
  readonly sensitivity_tier: Tier;
  readonly semantic_weight: number;
  readonly cost_tier: string | null;
  readonly target_personas: readonly string[];
  readonly persona_keys: readonly string[];
  readonly tool_schema: JsonObject;
  readonly response_schema: JsonObject | null;
  /** Effective `{routing, safety, …}`. */
  readonly tool_metadata: JsonObject;
  /** What each layer says; a schema that the columns above hold already is left out. */
  readonly layers: Layers;
  readonly provenance: Provenance;
  readonly digests: Readonly<Partial<Record<Layer, string>>>;
  readonly beneath: Baseline;
  readonly settled: Settled;
  readonly accepted: Readonly<Partial<Record<Layer, string>>>;
  readonly suspicious: boolean;
  readonly changed: boolean;
  readonly conflicts: readonly Conflict[];
  readonly gaps: readonly SemanticField[];
  readonly enrichment: Enrichment;
  readonly vanished: readonly Layer[];
  readonly deactivated: boolean;
  readonly active: boolean;
  readonly position: number;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
}

export const endpointRows = tableOf<EndpointRow>('api_endpoint_t', ['host_id', 'endpoint_id'], {
  host_id: 'uuid',
  endpoint_id: 'uuid',
  api_version_id: 'uuid',
  api_id: 'text',
  service_id: 'text',
  env_tag: 'text',
  endpoint: 'text',
  http_method: 'text',
  endpoint_path: 'text',
  endpoint_name: 'text',
  endpoint_desc: 'text',
  source_protocol: 'text',
  lifecycle_status: 'text',
  routing_domain: 'text',
  semantic_namespace: 'text',
  category: 'text',
  document_tags: 'text[]',
  sensitivity_tier: 'text',
  semantic_weight: 'real',
  cost_tier: 'text',
  target_personas: 'text[]',
  persona_keys: 'text[]',
  tool_schema: 'jsonb',
  response_schema: 'jsonb',
  tool_metadata: 'jsonb',
  layers: 'jsonb',
  provenance: 'jsonb',
  digests: 'jsonb',
  beneath: 'jsonb',
  settled: 'jsonb',
  accepted: 'jsonb',
  suspicious: 'boolean',
  changed: 'boolean',
  conflicts: 'jsonb',
  gaps: 'text[]',
  enrichment: 'text',
  vanished: 'text[]',
  deactivated: 'boolean',
  active: 'boolean',
  position: 'bigint',
  aggregate_version: 'bigint',
  update_ts: 'timestamptz',
  update_user: 'text',
});

/** One scope of one of the sets that an endpoint takes at the gateway: a caller needs all of a set, of any set. */
export interface EndpointScopeRow {
  readonly host_id: string;
  readonly endpoint_id: string;
  /** From 0, in the order of the document. */
  readonly scope_set: number;
  /** Place in the set. */
  readonly order_index: number;
  /** Null in a set that needs nothing. */
  readonly scheme: string | null;
  /** Null of a scheme that knows no scopes. */
  readonly scope: string | null;
  readonly scope_desc: string | null;
  readonly active: boolean;
  readonly position: number;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
}

export const endpointScopeRows = tableOf<EndpointScopeRow>(
  'api_endpoint_scope_t',
  ['host_id', 'endpoint_id', 'scope_set', 'order_index'],
  {
    host_id: 'uuid',
    endpoint_id: 'uuid',
    scope_set: 'integer',
    order_index: 'integer',
    scheme: 'text',
    scope: 'text',
    scope_desc: 'text',
    active: 'boolean',
    position: 'bigint',
    aggregate_version: 'bigint',
    update_ts: 'timestamptz',
    update_user: 'text',
  },
);
