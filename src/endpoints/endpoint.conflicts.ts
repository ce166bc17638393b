import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, invocationFields, merge, type Fields } from './endpoint.layers.js';
import { layers, type Layer, type Layers } from './layer-facts.js';

/** A value that is kept although a layer now offers another one (contract 4; reference/1, Failure Handling). */
export type Conflict = {
  /** Dot path. */
  readonly field: string;
  readonly kept: unknown;
  readonly offered: unknown;
  readonly layer: Layer | null;
};

/** Field to the value that stood beneath the operator's override when it was written; null where there was none. */
export type Beneath = Readonly<Record<string, unknown>>;

export function conflictsOf(all: Layers, beneath: Beneath): readonly Conflict[] {
  if (Object.keys(all).length < 2 && all.operator === undefined) return [];
  const found = [...invocationConflicts(all), ...overrideConflicts(all, beneath)];
  return found.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

/** Only one layer sets how an endpoint is called; what another says differently is shown, never taken. */
function invocationConflicts(all: Layers): Conflict[] {
  const { facts } = merge(all);
  const kept = fieldsOf(facts);
  const conflicts: Conflict[] = [];
  for (const layer of layers) {
    for (const [field, offered] of fieldsOf(all[layer] ?? {})) {
      if (!invocationFields.has(field) || isDeepStrictEqual(offered, kept.get(field))) continue;
      conflicts.push({ field, kept: kept.get(field) ?? null, offered, layer });
    }
  }
  return conflicts;
}

/** What an operator replaced has changed since: the override stands, and somebody should look at it again. */
function overrideConflicts(all: Layers, beneath: Beneath): Conflict[] {
  const { facts, provenance } = beneathOperator(all);
  const now = fieldsOf(facts);
  const conflicts: Conflict[] = [];
  for (const [field, kept] of fieldsOf(all.operator ?? {})) {
    const offered = now.get(field) ?? null;
    if (isDeepStrictEqual(offered, beneath[field] ?? null) || isDeepStrictEqual(offered, kept)) continue;
    conflicts.push({ field, kept, offered, layer: provenance[field] ?? null });
  }
  return conflicts;
}

/** The values beneath the fields that an operator overrides, to be remembered with the override. */
export function valuesBeneath(all: Layers, fields: Fields): Beneath {
  const now = fieldsOf(beneathOperator(all).facts);
  return Object.fromEntries([...fields.keys()].map((field) => [field, now.get(field) ?? null]));
}

function beneathOperator({ operator: _, ...documents }: Layers): ReturnType<typeof merge> {
  return merge(documents);
}
