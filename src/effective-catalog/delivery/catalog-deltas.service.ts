import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { createPatch, type Operation } from 'rfc6902';
import { Invalid, NotFound } from '../../kernel/errors.js';
import { Problem } from '../../platform/http/problem.js';
import type { CatalogQuestion, MadeCatalog } from '../effective-catalog.queries.js';
import { PastCatalogs } from '../past.lookup.js';

interface Document {
  readonly catalogVersion: number;
  readonly catalogHash: string;
}

/** How many versions back a hash is looked for. */
const MAX_STEPS = 6;
const MAX_BYTES = 8 * 1024 * 1024;
const none = Buffer.alloc(0);

/**
 * What has changed since the catalog with a hash: an RFC 6902 patch. The catalog that the reader has is found among
 * earlier versions, so every instance can make it, also after a restart.
 */
@Injectable()
export class CatalogDeltas {
  private readonly patches = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
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
    // Several versions may have the same hash: the patch sets the version, whichever the reader has.
    const { catalogVersion, catalogHash } = target;
    const patch = patchOf({ ...before, catalogVersion, catalogHash }, target);
    const always = Object.entries({ catalogVersion, catalogHash }).map(([name, value]) => ({
      op: 'replace',
      path: `/${name}`,
      value,
    }));
    return Buffer.from(JSON.stringify([...always, ...patch]));
  }

  private async find(
    question: CatalogQuestion,
    hash: string,
    now: MadeCatalog,
  ): Promise<Document | undefined> {
    let made = now;
    for (let step = 0; step <= MAX_STEPS; step += 1) {
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

type Comparison = NonNullable<Parameters<typeof createPatch>[2]>;

/** The RFC 6902 patch from one catalog to another, in time that grows with their length. */
export function patchOf(before: unknown, after: unknown): Operation[] {
  return createPatch(before, after, compared);
}

/**
 * Lists of things with an identity are compared thing by thing, others as a whole. The shortest way from one list to
 * another, which `createPatch` looks for by itself, takes the square of their length, and more where much has changed.
 */
const compared: Comparison = (before: unknown, after: unknown, pointer) => {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  if (isDeepStrictEqual(before, after)) return [];
  const path = pointer.toString();
  return thingByThing(before, after, path) ?? [{ op: 'replace', path, value: after as unknown }];
};

/** Compares two lists item by item; undefined where items have no identity, or another order. */
function thingByThing(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): Operation[] | undefined {
  const [old, now] = [placesOf(before), placesOf(after)];
  if (old === undefined || now === undefined) return undefined;
  const kept = [...now.keys()].filter((id) => old.has(id));
  if ([...old.keys()].filter((id) => now.has(id)).join('\n') !== kept.join('\n')) return undefined;
  const gone = [...old].filter(([id]) => !now.has(id)).reverse();
  const come = [...now].filter(([id]) => !old.has(id));
  return [
    ...gone.map(([, place]) => ({ op: 'remove' as const, path: `${path}/${String(place)}` })),
    ...come.map(([, place]) => ({
      op: 'add' as const,
      path: `${path}/${String(place)}`,
      value: after[place],
    })),
    ...kept.flatMap((id) => {
      const place = now.get(id) ?? 0;
      const below = patchOf(before[old.get(id) ?? 0], after[place]);
      return below.map((operation) => at(`${path}/${String(place)}`, operation));
    }),
  ];
}

function at(path: string, operation: Operation): Operation {
  return { ...operation, path: path + operation.path };
}

/** The index of each item by its identity; undefined where one has none, or two have the same. */
function placesOf(things: readonly unknown[]): ReadonlyMap<string, number> | undefined {
  const places = new Map<string, number>();
  for (const [place, thing] of things.entries()) {
    const id = identityOf(thing);
    if (id === undefined || places.has(id)) return undefined;
    places.set(id, place);
  }
  return places;
}

/** The identity of a skill, a tool, a workflow in its role, or a parameter. */
function identityOf(thing: unknown): string | undefined {
  if (typeof thing !== 'object' || thing === null) return undefined;
  const { toolId, skillId, wfDefId, workflowRole, name } = thing as Readonly<Record<string, unknown>>;
  const id = toolId ?? skillId ?? wfDefId ?? name;
  return typeof id === 'string' ? JSON.stringify([id, workflowRole]) : undefined;
}
