import { tableOf } from '../../platform/database/row-changes.js';
import { type Tier, tierOf } from '../../platform/auth/sensitivity-tier.js';
import type {
  ChangeMark,
  implementationTypes,
  ToolFields,
  ToolInvocation,
  ToolOverrides,
} from '../model/tool-facts.js';
import { paramsOf, type ToolParam } from '../model/tool-params.js';
import { endpointsReached, type KeptCall, type KeptComposite } from '../../registry/shared.js';
import { searchableText, searchKeys } from '../../endpoints/shared.js';
import type { ToolCreated, ToolEvent, ToolPublished } from '../model/tool.events.js';

/** A tool as it is now. */
export interface ToolRow {
  readonly host_id: string;
  readonly tool_id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly implementation_type: (typeof implementationTypes)[number];
  readonly implementation_class: string | null;
  readonly script_content: string | null;
  /** Null for a tool without an endpoint, like the columns that follow; that of a spec has a service, and may have an environment. */
  readonly endpoint_id: string | null;
  readonly api_version_id: string | null;
  readonly api_id: string | null;
  readonly service_id: string | null;
  readonly env_tag: string | null;
  readonly source_protocol: string | null;
  readonly endpoint_active: boolean;
  readonly capability_ref: string | null;
  readonly routing_domain: string | null;
  readonly semantic_namespace: string | null;
  readonly category: string | null;
  /** The tier that the raw word in `tool_metadata` stands for. */
  readonly sensitivity_tier: Tier;
  readonly semantic_weight: number;
  readonly lifecycle_status: ToolFields['lifecycleStatus'];
  readonly target_personas: readonly string[];
  /** In lower case. */
  readonly persona_keys: readonly string[];
  readonly tool_metadata: Pick<ToolFields, 'routing' | 'safety'>;
  readonly input_schema: Record<string, unknown>;
  /** The operation that a call carries out, where a spec says it. */
  readonly call: Record<string, unknown> | null;
  /** The endpoints that it calls. */
  readonly call_endpoints: readonly string[];
  /** Of a tool without an endpoint; of others what agents are given while the endpoint's waits for a review. */
  readonly response_schema: Record<string, unknown> | null;
  /** Example prompts of the document, while newer ones wait for a review. */
  readonly document_prompts: readonly string[] | null;
  readonly params: readonly ToolParam[];
  /** The fields of the source, without overrides. */
  readonly words: ToolFields;
  readonly overrides: ToolOverrides;
  readonly example_prompts: readonly string[];
  readonly change: ChangeMark | null;
  /** False until its first version is approved. */
  readonly approved: boolean;
  readonly aggregate_version: number;
  readonly active: boolean;
  readonly update_ts: string;
  readonly update_user: string;
  /** Of the last event that changed the row. */
  readonly position: number;
}

export const toolRows = tableOf<ToolRow>('tool_t', ['host_id', 'tool_id'], {
  host_id: 'uuid',
  tool_id: 'uuid',
  name: 'text',
  description: 'text',
  version: 'text',
  implementation_type: 'text',
  implementation_class: 'text',
  script_content: 'text',
  endpoint_id: 'uuid',
  api_version_id: 'uuid',
  api_id: 'text',
  service_id: 'text',
  env_tag: 'text',
  source_protocol: 'text',
  endpoint_active: 'boolean',
  capability_ref: 'text',
  routing_domain: 'text',
  semantic_namespace: 'text',
  category: 'text',
  sensitivity_tier: 'text',
  semantic_weight: 'real',
  lifecycle_status: 'text',
  target_personas: 'text[]',
  persona_keys: 'text[]',
  tool_metadata: 'jsonb',
  input_schema: 'jsonb',
  call: 'jsonb',
  call_endpoints: 'uuid[]',
  response_schema: 'jsonb',
  document_prompts: 'jsonb',
  params: 'jsonb',
  words: 'jsonb',
  overrides: 'jsonb',
  example_prompts: 'jsonb',
  change: 'jsonb',
  approved: 'boolean',
  aggregate_version: 'bigint',
  active: 'boolean',
  update_ts: 'timestamptz',
  update_user: 'text',
  position: 'bigint',
});

/** A tool and what is written of its params. */
export interface ParamsOfTool {
  readonly host_id: string;
  readonly tool_id: string;
  readonly aggregate_version: number;
  readonly position: number;
  readonly update_ts: string;
  readonly update_user: string;
  readonly params: readonly ToolParam[];
  /** Of each param, a UUID v5 of its name in the namespace of the tool's id. */
  readonly ids: readonly string[];
}

/** $1 the params of some tools, each a ParamsOfTool: writes them, which are new. */
export const INSERT_PARAMS = `
INSERT INTO tool_param_t (host_id, tool_id, aggregate_version, position, update_ts, update_user, active,
       param_id, name, param_type, required, default_value, description, validation_schema, order_index)
SELECT t.host_id, t.tool_id, t.aggregate_version, t.position, t.update_ts, t.update_user, true,
       p.id::uuid, p.name, p.type, p.required, p."default", p.description, p.schema, p."order"
  FROM json_to_recordset($1::json) AS t (host_id uuid, tool_id uuid, aggregate_version bigint, position bigint,
       update_ts timestamptz, update_user text, params json, ids json)
 CROSS JOIN LATERAL ROWS FROM (
       json_to_recordset(t.params) AS (name text, type text, required boolean, "default" jsonb, description text,
         schema jsonb, "order" integer),
       json_array_elements_text(t.ids)) AS p (name, type, required, "default", description, schema, "order", id)`;

/** What an event changes of its tool's row, less the audit columns. */
export function columnsOf(event: ToolEvent): Partial<ToolRow> {
  switch (event.type) {
    case 'ToolPublishedEvent':
      return publishedColumns(event.data);
    case 'ToolCreatedEvent':
      return createdColumns(event.data);
    case 'ToolRefreshedEvent': {
      const { endpointActive, version, change, source, outputSchema, documentPrompts } = event.data;
      const own = {
        ...(outputSchema !== undefined && { response_schema: outputSchema }),
        ...(documentPrompts !== undefined && { document_prompts: documentPrompts }),
      };
      const state = { endpoint_active: endpointActive, version, change, ...own };
      if (source === undefined) return state;
      const { words, invocation, effective } = source;
      return { ...state, words, ...fieldColumns(effective), ...invocationColumns(invocation) };
    }
    case 'ToolUpdatedEvent': {
      const { overrides, effective, examplePrompts, version } = event.data;
      return { overrides, ...fieldColumns(effective), example_prompts: examplePrompts, version };
    }
    case 'ToolRevisedEvent': {
      const { inputSchema, outputSchema, version, change } = event.data;
      const schemas = {
        input_schema: inputSchema,
        params: paramsOf(inputSchema),
        response_schema: outputSchema,
      };
      return { ...schemas, version, change };
    }
    case 'ToolActivatedEvent':
      return { active: true };
    case 'ToolDeactivatedEvent':
      return { active: false };
    case 'ToolChangesAcceptedEvent':
      return { change: null };
    default:
      return {};
  }
}

const newborn = { endpoint_active: true, active: true, overrides: {}, example_prompts: [] };

function publishedColumns(data: ToolPublished['data']): Partial<ToolRow> {
  return {
    ...newborn,
    name: data.name,
    version: data.version,
    implementation_type: 'lightapi_endpoint',
    implementation_class: null,
    script_content: null,
    endpoint_id: data.endpointId,
    api_version_id: data.apiVersionId,
    api_id: data.apiId,
    service_id: data.serviceId,
    env_tag: data.envTag,
    words: data.words,
    ...fieldColumns(data.words),
    ...invocationColumns(data.invocation),
    change: data.change,
    approved: data.state === undefined,
    response_schema: null,
  };
}

function createdColumns(data: ToolCreated['data']): Partial<ToolRow> {
  return {
    ...newborn,
    name: data.name,
    version: data.version,
    implementation_type: data.implementationType,
    implementation_class: data.implementationClass,
    script_content: data.scriptContent,
    endpoint_id: null,
    api_version_id: null,
    api_id: null,
    // A spec names the service that runs its tool.
    service_id: data.implementationType === 'service' ? data.implementationClass : null,
    env_tag: data.envTag ?? null,
    words: data.words,
    ...fieldColumns(data.words),
    ...invocationColumns(data.invocation),
    change: data.change,
    approved: data.state === undefined,
    response_schema: data.outputSchema,
  };
}

function fieldColumns({ description, routing, safety, lifecycleStatus }: ToolFields): Partial<ToolRow> {
  return {
    description,
    lifecycle_status: lifecycleStatus,
    routing_domain: searchableText(routing.domain),
    semantic_namespace: searchableText(routing.semanticNamespace),
    category: searchableText(routing.category),
    sensitivity_tier: tierOf(routing.sensitivityTier),
    semantic_weight: Math.fround(routing.semanticWeight ?? 1),
    target_personas: routing.targetPersonas ?? [],
    persona_keys: searchKeys(routing.targetPersonas),
    tool_metadata: { routing, safety },
  };
}

function invocationColumns({
  inputSchema,
  sourceProtocol,
  capabilityRef,
  call,
}: ToolInvocation): Partial<ToolRow> {
  return {
    input_schema: inputSchema,
    params: paramsOf(inputSchema),
    source_protocol: sourceProtocol,
    capability_ref: capabilityRef,
    ...callColumns(call),
  };
}

function callColumns(call: ToolInvocation['call']): Pick<ToolRow, 'call' | 'call_endpoints'> {
  const kept = keptColumn(call);
  return { call: kept ?? null, call_endpoints: kept?.endpointIds ?? [] };
}

/** The call with the endpoints that it reaches, as rows have it. */
export function keptColumn(call: ToolInvocation['call']): KeptCallColumn | undefined {
  if (call === undefined) return undefined;
  return { ...call, endpointIds: endpointsReached(call as unknown as KeptCall | KeptComposite) };
}

type KeptCallColumn = Record<string, unknown> & { readonly endpointIds: readonly string[] };
