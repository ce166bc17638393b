import {
  type EndpointFacts,
  type RoutingFacts,
  type SafetyFacts,
  safetyOfVerb,
  type ScopeFacts,
} from '../../formats/shared.js';
import { type Layers, merge, type MergedLayer, type Provenance } from './endpoint.layers.js';

/** The effective facts of an endpoint: all layers merged, gaps filled by rule (docs/contract.md, section 4). */
export interface EffectiveFacts {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly sourceName?: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly sourceProtocol: string;
  readonly lifecycleStatus: NonNullable<EndpointFacts['lifecycleStatus']>;
  readonly tags: readonly string[];
  readonly capabilityRef?: string;
  readonly lightapi?: Record<string, unknown>;
  readonly scopes: readonly (readonly ScopeFacts[])[];
  readonly routing: RoutingFacts & { readonly semanticWeight: number };
  readonly safety: EffectiveSafety;
  readonly extras: Record<string, unknown>;
}

type EffectiveSafety = SafetyFacts & {
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly destructive: boolean;
  readonly humanApprovalRequired: boolean;
};

interface Effective {
  readonly facts: EffectiveFacts;
  /** The layer that each field came from; a field that a rule filled in names the layer it was drawn from, if any. */
  readonly provenance: Provenance;
}

export function effectiveOf(all: Layers): Effective {
  const { facts, provenance } = merge(all);
  const { method = '', path = '', name = '', description = '', inputSchema = { type: 'object' } } = facts;
  const { sourceProtocol = '', lifecycleStatus = 'active', tags = [], scopes = [], extras = {} } = facts;
  const domain = domainOf(facts, provenance);
  return {
    facts: {
      ...facts,
      ...{
        method,
        path,
        name,
        description,
        inputSchema,
        sourceProtocol,
        lifecycleStatus,
        tags,
        scopes,
        extras,
      },
      routing: { semanticWeight: 1, ...(domain && { domain: domain.name }), ...facts.routing },
      safety: { ...safetyOfVerb(method), humanApprovalRequired: false, ...facts.safety },
    },
    provenance: domain ? { ...provenance, 'routing.domain': domain.layer } : provenance,
  };
}

/** A domain that no layer names falls back to the capability group, then to the first tag. */
function domainOf(
  facts: EndpointFacts,
  provenance: Provenance,
): { name: string; layer: MergedLayer } | undefined {
  if (facts.routing?.domain !== undefined) return undefined;
  const candidates = [
    ['capability', facts.capability?.group],
    ['tags', facts.tags?.[0]],
  ] as const;
  for (const [field, name] of candidates) {
    const layer = provenance[field];
    if (name !== undefined && name.length <= MAX_INDEXED && layer !== undefined) return { name, layer };
  }
  return undefined;
}

/** `toolMetadata` in the shape of the specification: `routing` and `safety`, and beside them what else is known. */
export function toolMetadataOf(facts: EffectiveFacts): Record<string, unknown> {
  const { routing, safety, title, sourceName, tags, capabilityRef, lightapi, extras } = facts;
  return {
    routing,
    safety,
    ...(title !== undefined && { title }),
    ...(sourceName !== undefined && { sourceName }),
    ...(tags.length > 0 && { tags }),
    ...(capabilityRef !== undefined && { capabilityRef }),
    ...(lightapi !== undefined && { lightapi }),
    ...(Object.keys(extras).length > 0 && { extras }),
  };
}

/**
 * Fields of a good description of an endpoint beyond how it is called. Almost any document has the first two; the rest somebody
 * has to write.
 */
export const semanticFields = [
  'description',
  'routing.domain',
  'routing.semanticNamespace',
  'routing.semanticDescription',
  'routing.semanticKeywords',
  'routing.targetPersonas',
  'routing.sensitivityTier',
] as const;
export type SemanticField = (typeof semanticFields)[number];
const written = semanticFields.slice(2);

export type Enrichment = 'none' | 'partial' | 'full';

/** Grades how complete the metadata is and lists its gaps; a gap is no fault. */
export function enrichmentOf({ provenance }: Effective): {
  readonly enrichment: Enrichment;
  readonly gaps: readonly SemanticField[];
} {
  const gaps = semanticFields.filter((field) => provenance[field] === undefined);
  if (gaps.length === 0) return { enrichment: 'full', gaps };
  return { enrichment: written.every((field) => gaps.includes(field)) ? 'none' : 'partial', gaps };
}

/** Longest text that an indexed column keeps; longer ones stay in the metadata alone, and a longer tag is no domain. */
const MAX_INDEXED = 256;

/** Returns the text for an indexed column, or null where it is too long. */
export function searchableText(text: string | undefined): string | null {
  return text === undefined || text.length > MAX_INDEXED ? null : text;
}

/** Returns the texts for an indexed column, each once, in order. */
export function searchableTexts(texts: readonly string[] | undefined): readonly string[] {
  return [...new Set(texts)].filter((text) => text.length <= MAX_INDEXED);
}

/** Returns texts in lower case, to be compared case aside. */
export function searchKeys(texts: readonly string[] | undefined): readonly string[] {
  return searchableTexts(texts?.map((text) => text.toLowerCase()));
}
