import type { Effective } from './endpoint.effective.js';

/**
 * What a good description of an endpoint says beyond how it is called.
 * The first two come with almost any document; the rest somebody has to write.
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

/** How much the layers say, and what they leave unsaid: a gap is a remark, not a fault. */
export function enrichmentOf({ provenance }: Effective): {
  readonly enrichment: Enrichment;
  readonly gaps: readonly SemanticField[];
} {
  const gaps = semanticFields.filter((field) => provenance[field] === undefined);
  if (gaps.length === 0) return { enrichment: 'full', gaps };
  return { enrichment: written.every((field) => gaps.includes(field)) ? 'none' : 'partial', gaps };
}
