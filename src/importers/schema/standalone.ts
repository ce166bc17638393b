import { canonicalJson, settle } from '../../eventsourcing/canonical-json.js';
import type { JsonObject } from '../../documents/json.js';
import type { Copied, Trace } from './copied.js';
import { prune } from './prune.js';
import { relax } from './relax.js';
import type { SchemaCopier } from './schema-copier.js';

/** JSON length of a copied schema, which is not changed any more. */
function lengthOf(schema: JsonObject): number {
  return canonicalJson(settle(schema)).length;
}

const DEFINITIONS = '"$defs":{},'.length;

/** JSON length of definitions that accept anything: what each costs at least. */
function emptyLength(pointers: Iterable<string>, { source }: SchemaCopier): number {
  let length = 0;
  for (const pointer of pointers) length += source.nameOf(pointer).length + '"":{},'.length;
  return length;
}

/**
 * Makes a copied schema stand alone: the definitions that it needs, and those need, under `$defs`, nearest first and up
 * to `maxLength` characters of JSON. What does not fit accepts anything, and a warning says so.
 */
export function standalone(root: Copied, copier: SchemaCopier, maxLength: number, at: string): JsonObject {
  const needed = new Set(root.trace.references);
  const least = DEFINITIONS + emptyLength(needed, copier);
  const fitting =
    lengthOf(root.schema) + least > maxLength
      ? prune(relax(root.schema) as JsonObject, maxLength - least)
      : root.schema;
  const traces: Trace[] = [root.trace];
  const definitions: JsonObject = {};
  let pruned = fitting !== root.schema;
  let length = lengthOf(fitting) + least;
  const seen = new Set<string>();
  let level = [...root.trace.references];
  while (level.length > 0) {
    const next: string[] = [];
    for (const pointer of level.filter((reference) => !seen.has(reference)).toSorted()) {
      seen.add(pointer);
      const { schema, trace } = copier.definition(pointer);
      const fresh = [...trace.references].filter((reference) => !needed.has(reference));
      const more = lengthOf(schema) + emptyLength(fresh, copier);
      const fits = length + more <= maxLength;
      definitions[copier.source.nameOf(pointer)] = fits ? schema : {};
      pruned ||= !fits;
      if (!fits) continue;
      length += more;
      for (const reference of fresh) needed.add(reference);
      traces.push(trace);
      next.push(...trace.references);
    }
    level = [...new Set(next)];
  }
  if (pruned) {
    copier.warnings.warn(
      'schema_pruned',
      at,
      `The schema is longer than ${String(Math.round(maxLength / 1024))} KiB; its deeper parts accept anything.`,
    );
  }
  const loose = pruned || traces.some((trace) => trace.loose);
  const schema = Object.keys(definitions).length > 0 ? { ...fitting, $defs: definitions } : fitting;
  return loose && traces.some((trace) => trace.exclusive) ? (relax(schema) as JsonObject) : schema;
}
