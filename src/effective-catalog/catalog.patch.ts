/** The RFC 6902 patch from one catalog to another, in time that grows with their length. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { createPatch, type Operation } from 'rfc6902';

type Comparison = NonNullable<Parameters<typeof createPatch>[2]>;

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

/** Undefined where things have no identity of their own, or have changed places. */
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

/** By identity, in their order; undefined where one has none, or two have the same. */
function placesOf(things: readonly unknown[]): ReadonlyMap<string, number> | undefined {
  const places = new Map<string, number>();
  for (const [place, thing] of things.entries()) {
    const id = identityOf(thing);
    if (id === undefined || places.has(id)) return undefined;
    places.set(id, place);
  }
  return places;
}

/** Of a skill, a tool, a workflow in its role, a parameter. */
function identityOf(thing: unknown): string | undefined {
  if (typeof thing !== 'object' || thing === null) return undefined;
  const { toolId, skillId, wfDefId, workflowRole, name } = thing as Readonly<Record<string, unknown>>;
  const id = toolId ?? skillId ?? wfDefId ?? name;
  return typeof id === 'string' ? JSON.stringify([id, workflowRole]) : undefined;
}
