import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ImportPool } from './import-pool.js';
import type { ReadResult, ReadTask } from './read-import.worker.js';

/** Characters of what is remembered of documents, together. */
const REMEMBERED = 32 * 1024 * 1024;

/** Reads documents, and remembers what it read of the last ones by the hash of what was sent. */
@Injectable()
export class ReadDocuments {
  private readonly remembered = new LRUCache<string, ReadResult>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ document }) => 1 + (document?.length ?? 0),
  });

  constructor(private readonly pool: ImportPool) {}

  async read(task: ReadTask): Promise<ReadResult> {
    const { body, ...how } = task;
    const key = createHash('sha256').update(JSON.stringify(how)).update('\n').update(body).digest('hex');
    const result = this.remembered.get(key) ?? (await this.pool.read(task));
    if (result.document !== undefined) this.remembered.set(key, result);
    // Checks fill defaults in.
    return { ...result, envelope: structuredClone(result.envelope) };
  }
}
