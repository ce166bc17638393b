import { canonicalJson, settle } from '../eventsourcing/canonical-json.js';
import type { LayerFacts } from '../endpoints/layer-facts.js';
import type { LayerOffer } from './layer-offer.js';

/** An offer on its way from process to process: texts that were made for its digest, schemas apart from the rest. */
export interface OfferMessage {
  readonly endpoint: string;
  readonly digest: string;
  /** Places among the schemas that were sent before. */
  readonly inputSchema?: number;
  readonly outputSchema?: number;
  /** The facts without the schemas. */
  readonly facts: string;
}

/** Offers as messages, and the texts of their schemas: what many operations answer is sent once. */
export function messagesOf(offers: readonly LayerOffer[]): {
  readonly schemas: readonly string[];
  readonly messages: readonly OfferMessage[];
} {
  const places = new Map<string, number>();
  const placeOf = (schema: object): number => {
    const text = canonicalJson(schema);
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  };
  const messages = offers.map(({ endpoint, digest, facts: { inputSchema, outputSchema, ...rest } }) => ({
    endpoint,
    digest,
    ...(inputSchema !== undefined && { inputSchema: placeOf(inputSchema) }),
    ...(outputSchema !== undefined && { outputSchema: placeOf(outputSchema) }),
    facts: canonicalJson(rest),
  }));
  return { schemas: [...places.keys()], messages };
}

/** The schema of a text; it is settled, so that nobody makes its text again. */
export function schemaIn(text: string): Record<string, unknown> {
  return settle(JSON.parse(text) as Record<string, unknown>, text);
}

export function offerIn(
  { endpoint, digest, inputSchema, outputSchema, facts }: OfferMessage,
  schemas: readonly Record<string, unknown>[],
): LayerOffer {
  return {
    endpoint,
    digest,
    facts: {
      ...(JSON.parse(facts) as LayerFacts),
      ...(inputSchema !== undefined && { inputSchema: schemas[inputSchema] }),
      ...(outputSchema !== undefined && { outputSchema: schemas[outputSchema] }),
    },
  };
}

/** Characters, about. */
export function lengthOf({ facts }: OfferMessage): number {
  return facts.length + 200;
}
