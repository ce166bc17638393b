import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import { Problem } from '../platform/http/problem.js';
import type { CatalogQuestion, MadeCatalog } from './catalog-cache.service.js';
import { patchOf } from './catalog.patch.js';
import { PastCatalogs } from './past-catalogs.service.js';

interface Document {
  readonly catalogVersion: number;
  readonly catalogHash: string;
}

/** How many versions back a hash is looked for. */
const mostSteps = 6;
const mostBytes = 8 * 1024 * 1024;
const none = Buffer.alloc(0);

/**
 * What has changed since the catalog with a hash: an RFC 6902 patch. The catalog that the reader has is found among
 * earlier versions, so every instance can tell, also after a restart.
 */
@Injectable()
export class CatalogDeltas {
  private readonly patches = new LRUCache<string, Buffer>({
    maxSize: mostBytes,
    sizeCalculation: (patch) => patch.length + 200,
  });

  constructor(private readonly past: PastCatalogs) {}

  /** The patch that makes this catalog of that one; undefined where it is not found or not now, or is no smaller. */
  async since(question: CatalogQuestion, hash: string, now: MadeCatalog): Promise<Buffer | undefined> {
    const key = `${now.etag} ${String(now.version)} ${hash}`;
    const known = this.patches.get(key) ?? (await this.make(question, hash, now).catch(orWhole));
    if (known === undefined) return undefined;
    this.patches.set(key, known);
    return known.length > 0 && known.length < now.bytes.length ? known : undefined;
  }

  private async make(question: CatalogQuestion, hash: string, now: MadeCatalog): Promise<Buffer> {
    const target = documentOf(now);
    const before = await this.find(question, hash, now);
    if (before === undefined) return none;
    // One hash may have been given under several versions: they are told whatever the reader's was.
    const told = { catalogVersion: target.catalogVersion, catalogHash: target.catalogHash };
    const patch = patchOf({ ...before, ...told }, target);
    const always = Object.entries(told).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
    return Buffer.from(JSON.stringify([...always, ...patch]));
  }

  private async find(
    question: CatalogQuestion,
    hash: string,
    now: MadeCatalog,
  ): Promise<Document | undefined> {
    let made = now;
    for (let step = 0; step <= mostSteps; step += 1) {
      const document = documentOf(made);
      if (document.catalogHash === hash) return document;
      const earlier = await this.before(question, made.version);
      if (earlier === undefined) return undefined;
      made = earlier;
    }
    return undefined;
  }

  private async before(question: CatalogQuestion, version: number): Promise<MadeCatalog | undefined> {
    try {
      return await this.past.read(question, { position: version - 1 });
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}

/** Where the past can't be read now, the whole catalog is the answer. */
function orWhole(error: unknown): undefined {
  const isPassing = error instanceof Problem && error.code === 'reads_busy';
  if (!isPassing && !(error instanceof Invalid && error.code === 'past_too_slow')) throw error;
}

function documentOf({ bytes }: MadeCatalog): Document {
  return JSON.parse(bytes.toString()) as Document;
}
