import { cutRouting } from '../endpoints/endpoint-references.lookup.js';
import { approvalOf } from './approval.policy.js';
import type { JudgedOffer } from './catalog.offers.js';
import type { References } from './catalog.references.js';
import type { TaxonomyRow } from './catalog.rows.js';
import { descriptionOf } from './catalog.words.js';
import { numberIn, objectIn, objectsIn, textIn, textsIn } from './loose-json.js';

/** What a tool says beyond its own rows; references name only what the catalog holds. */
export interface KnownOfTools {
  /** By skill and by tool. */
  readonly taxonomies: ReadonlyMap<string, TaxonomyRow>;
  readonly references: References;
  /** By which published workflows are named. */
  readonly approvals: ReadonlySet<string>;
}

/** A disclosed tool, in the shape of contract 7. */
export function toolOf(offer: JudgedOffer, known: KnownOfTools) {
  const { tool, endpoint, link } = offer;
  return {
    toolId: tool.tool_id,
    endpointId: endpoint?.endpoint_id,
    name: tool.name,
    description: descriptionOf(offer),
    version: tool.version,
    endpoint: endpoint?.endpoint,
    endpointName: endpoint?.endpoint_name,
    // An operator's word on the tool replaces the document's, which would speak to the agent all the same.
    endpointDescription: endpoint && descriptionOf(offer),
    method: endpoint?.http_method,
    path: endpoint?.endpoint_path,
    apiId: endpoint?.api_id,
    apiVersionId: endpoint?.api_version_id,
    apiType: endpoint?.api_type,
    sourceProtocol: tool.source_protocol ?? undefined,
    implementationType: tool.implementation_type,
    capabilityRef: tool.capability_ref ?? undefined,
    lifecycleStatus: tool.lifecycle_status,
    accessLevel: link.access_level,
    config: link.config,
    ...taxonomyOf(tool.tool_id, known),
    inputSchema: tool.input_schema,
    outputSchema: (endpoint ?? tool).response_schema ?? undefined,
    params: tool.params,
    routingMetadata: routingOf(tool, (key) => known.references(key, endpoint?.api_version_id)),
    safety: safetyOf(tool, known),
  };
}

export function taxonomyOf(id: string, { taxonomies }: Pick<KnownOfTools, 'taxonomies'>) {
  const { tags = [], categories = [] } = taxonomies.get(id) ?? {};
  return { tags, categories };
}

/** What nobody has said is null. References to endpoints are cut to those that the same catalog discloses. */
function routingOf(tool: JudgedOffer['tool'], isGivenKey: (key: string) => boolean) {
  const routing = cutRouting(tool.tool_metadata.routing ?? {}, isGivenKey);
  const needs = objectIn(routing, 'contextRequirements');
  return {
    domain: tool.routing_domain,
    semanticNamespace: tool.semantic_namespace,
    category: textIn(routing, 'category') ?? null,
    semanticDescription: textIn(routing, 'semanticDescription') ?? null,
    semanticKeywords: textsIn(routing, 'semanticKeywords'),
    targetPersonas: tool.target_personas,
    sensitivityTier: tool.sensitivity_tier,
    semanticWeight: numberIn(routing, 'semanticWeight') ?? 1,
    contextRequirements: {
      requiredInputs: textsIn(needs, 'requiredInputs'),
      requiredContext: textsIn(needs, 'requiredContext'),
    },
    dependencies: objectsIn(routing, 'dependencies').map((to) => ({
      endpoint: textIn(to, 'endpoint'),
      relation: textIn(to, 'relation'),
    })),
    fallbackEndpoint: textIn(routing, 'fallbackEndpoint') ?? null,
  };
}

/** An approval workflow is named only where it approves: who reads the catalog can't look it up. */
function safetyOf(tool: JudgedOffer['tool'], { approvals }: KnownOfTools) {
  const { readOnly, idempotent, destructive, humanApprovalRequired } = tool.tool_metadata.safety ?? {};
  return {
    readOnly: readOnly ?? false,
    idempotent: idempotent ?? false,
    destructive: destructive ?? false,
    humanApprovalRequired: humanApprovalRequired ?? false,
    approvalWorkflow: approvalOf(tool, approvals),
  };
}
