import { canonicalJson, settle } from '../eventsourcing/canonical-json.js';
import type { LayerFacts } from '../endpoints/layer-facts.js';
import type { LayerOffer } from './layer-offer.js';

/** An offer on its way from process to process: texts that were made for its digest, schemas apart from the rest. */
export interface OfferMessage {
  readonly endpoint: string;
  readonly digest: string;
  readonly inputSchema?: string;
  readonly outputSchema?: string;
  /** The facts without the schemas. */
  readonly facts: string;
}

export function messageOf({ endpoint, digest, facts }: LayerOffer): OfferMessage {
  const { inputSchema, outputSchema, ...rest } = facts;
  return {
    endpoint,
    digest,
    ...(inputSchema !== undefined && { inputSchema: canonicalJson(inputSchema) }),
    ...(outputSchema !== undefined && { outputSchema: canonicalJson(outputSchema) }),
    facts: canonicalJson(rest),
  };
}

/** The offer; its schemas are settled, so that nobody makes their texts again. */
export function offerIn({ endpoint, digest, inputSchema, outputSchema, facts }: OfferMessage): LayerOffer {
  return {
    endpoint,
    digest,
    facts: {
      ...(JSON.parse(facts) as LayerFacts),
      ...(inputSchema !== undefined && { inputSchema: read(inputSchema) }),
      ...(outputSchema !== undefined && { outputSchema: read(outputSchema) }),
    },
  };
}

function read(text: string): Record<string, unknown> {
  return settle(JSON.parse(text) as Record<string, unknown>, text);
}

/** Characters, about. */
export function lengthOf({ inputSchema = '', outputSchema = '', facts }: OfferMessage): number {
  return inputSchema.length + outputSchema.length + facts.length + 200;
}
