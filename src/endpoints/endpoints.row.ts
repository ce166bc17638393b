import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EndpointFacts } from '../formats/endpoint-facts.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { Baseline, Conflict, Settled } from './endpoint.conflicts.js';
import type { Enrichment, SemanticField } from './endpoint.effective.js';
import type { Layer, Layers, Provenance } from './endpoint.layers.js';

type JsonObject = Record<string, unknown>;

@Entity('api_endpoint_t')
export class EndpointRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) endpoint_id!: string;
  @Column({ type: 'uuid' }) api_version_id!: string;
  @Column({ type: 'text' }) api_id!: string;
  /** Copied from the API version, so that one keyed read tells who may see the endpoint. */
  @Column({ type: 'text' }) service_id!: string;
  @Column({ type: 'text', nullable: true }) env_tag!: string | null;
  /** The endpoint key. */
  @Column({ type: 'text' }) endpoint!: string;
  @Column({ type: 'text' }) http_method!: string;
  @Column({ type: 'text' }) endpoint_path!: string;
  @Column({ type: 'text' }) endpoint_name!: string;
  @Column({ type: 'text' }) endpoint_desc!: string;
  @Column({ type: 'text' }) source_protocol!: string;
  @Column({ type: 'text' }) lifecycle_status!: NonNullable<EndpointFacts['lifecycleStatus']>;
  @Column({ type: 'text', nullable: true }) routing_domain!: string | null;
  @Column({ type: 'text', nullable: true }) semantic_namespace!: string | null;
  @Column({ type: 'text', nullable: true }) category!: string | null;
  /** As the document has them. */
  @Column({ type: 'text', array: true }) document_tags!: readonly string[];
  /** The tier that the raw word in `tool_metadata` stands for. */
  @Column({ type: 'text' }) sensitivity_tier!: Tier;
  @Column({ type: 'real' }) semantic_weight!: number;
  @Column({ type: 'text', nullable: true }) cost_tier!: string | null;
  @Column({ type: 'text', array: true }) target_personas!: readonly string[];
  @Column({ type: 'text', array: true }) persona_keys!: readonly string[];
  @Column({ type: 'jsonb' }) tool_schema!: JsonObject;
  @Column({ type: 'jsonb', nullable: true }) response_schema!: JsonObject | null;
  /** Effective `{routing, safety, …}`. */
  @Column({ type: 'jsonb' }) tool_metadata!: JsonObject;
  /** What each layer says; a schema that the columns above hold already is left out. */
  @Column({ type: 'jsonb' }) layers!: Layers;
  @Column({ type: 'jsonb' }) provenance!: Provenance;
  @Column({ type: 'jsonb' }) digests!: Readonly<Partial<Record<Layer, string>>>;
  @Column({ type: 'jsonb' }) beneath!: Baseline;
  @Column({ type: 'jsonb' }) settled!: Settled;
  @Column({ type: 'jsonb' }) accepted!: Readonly<Partial<Record<Layer, string>>>;
  @Column({ type: 'boolean' }) suspicious!: boolean;
  @Column({ type: 'boolean' }) changed!: boolean;
  @Column({ type: 'jsonb' }) conflicts!: readonly Conflict[];
  @Column({ type: 'text', array: true }) gaps!: readonly SemanticField[];
  @Column({ type: 'text' }) enrichment!: Enrichment;
  @Column({ type: 'text', array: true }) vanished!: readonly Layer[];
  @Column({ type: 'boolean' }) deactivated!: boolean;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}

/** One scope of one of the sets that an endpoint takes at the gateway: a caller needs all of a set, of any set. */
@Entity('api_endpoint_scope_t')
export class EndpointScopeRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) endpoint_id!: string;
  /** From 0, in the order of the document. */
  @PrimaryColumn({ type: 'integer' }) scope_set!: number;
  /** Place in the set. */
  @PrimaryColumn({ type: 'integer' }) order_index!: number;
  /** Null in a set that needs nothing. */
  @Column({ type: 'text', nullable: true }) scheme!: string | null;
  /** Null of a scheme that knows no scopes. */
  @Column({ type: 'text', nullable: true }) scope!: string | null;
  @Column({ type: 'text', nullable: true }) scope_desc!: string | null;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}
