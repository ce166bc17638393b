import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ImportPool } from './import-pool.js';
import type { OfferDigest } from './layer-offer.js';
import type { ReadDocument, ReadResult, ReadTask } from './read-import.worker.js';

/** What a document says, by digests: enough to tell what it changes. */
export interface OfferedDocument extends Omit<ReadDocument, 'spec' | 'offers' | 'enrichment'> {
  /** Ordered by endpoint key. */
  readonly offers: readonly OfferDigest[];
  /** All that it says. */
  whole(): Promise<ReadDocument>;
}

export interface OfferedResult extends Omit<ReadResult, 'document'> {
  readonly document?: OfferedDocument;
}

type Remembered = Omit<ReadResult, 'document'> & { readonly document: Omit<OfferedDocument, 'whole'> };

/** Endpoints whose digests are remembered, some hundred bytes each. */
const MOST_OFFERS = 100_000;

/**
 * Reads documents, and remembers what it read of the last ones by the hash of what was sent: a document that comes
 * again is read again only where it has anything new to say.
 */
@Injectable()
export class OfferedDocuments {
  private readonly remembered = new LRUCache<string, Remembered>({
    maxSize: MOST_OFFERS,
    sizeCalculation: ({ document }) => document.offers.length + 1,
  });

  constructor(private readonly pool: ImportPool) {}

  async read(task: ReadTask): Promise<OfferedResult> {
    const key = keyOf(task);
    const known = this.remembered.get(key);
    if (known !== undefined) {
      let whole: Promise<ReadDocument> | undefined;
      return {
        ...structuredClone(known),
        ...offering(known.document, () => (whole ??= this.readAgain(task))),
      };
    }
    const { document, ...rest } = await this.pool.read(task);
    if (document === undefined) return rest;
    const { spec: _spec, offers, enrichment: _enrichment, ...about } = document;
    const digests = offers.map(({ endpoint, digest }) => ({ endpoint, digest }));
    const read = { ...about, offers: digests };
    this.remembered.set(key, structuredClone({ ...rest, document: read }));
    return { ...rest, ...offering(read, () => Promise.resolve(document)) };
  }

  private async readAgain(task: ReadTask): Promise<ReadDocument> {
    const { document } = await this.pool.read(task);
    if (document === undefined) throw new Error('A document that was read before is refused now.');
    return document;
  }
}

function offering(
  document: Omit<OfferedDocument, 'whole'>,
  whole: OfferedDocument['whole'],
): { readonly document: OfferedDocument } {
  return { document: { ...document, whole } };
}

function keyOf({ body, ...task }: ReadTask): string {
  return createHash('sha256').update(JSON.stringify(task)).update('\n').update(body).digest('hex');
}
