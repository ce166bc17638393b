import { searchableText, searchKeys } from '../endpoints/shared.js';
import { tierOf } from '../platform/auth/sensitivity-tier.js';
import { paramsOf } from './tool-params.js';
import type { ToolInvocation, ToolFields } from './tool-facts.js';
import type { ToolCreated, ToolEvent, ToolPublished } from './tool.events.js';
import type { ToolRow } from './tools.row.js';

/** What an event changes of its tool's row, less the audit columns. */
export function columnsOf(event: ToolEvent): Partial<ToolRow> {
  switch (event.type) {
    case 'ToolPublishedEvent':
      return publishedColumns(event.data);
    case 'ToolCreatedEvent':
      return createdColumns(event.data);
    case 'ToolRefreshedEvent': {
      const { endpointActive, version, change, source } = event.data;
      const state = { endpoint_active: endpointActive, version, change };
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
    service_id: null,
    env_tag: null,
    words: data.words,
    ...fieldColumns(data.words),
    ...invocationColumns(data.invocation),
    change: data.change,
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

function invocationColumns({ inputSchema, sourceProtocol, capabilityRef }: ToolInvocation): Partial<ToolRow> {
  return {
    input_schema: inputSchema,
    params: paramsOf(inputSchema),
    source_protocol: sourceProtocol,
    capability_ref: capabilityRef,
  };
}
