import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, sha256Hex } from '../eventsourcing/canonical-json.js';
import {
  fieldsOf,
  invocationFields,
  layers,
  merge,
  type Fields,
  type Layers,
  type MergedLayer,
} from './endpoint.layers.js';

/** A value that is kept although a layer now offers another one (docs/contract.md, section 4). */
export type Conflict = {
  /** Dot path. */
  readonly field: string;
  readonly kept: unknown;
  readonly offered: unknown;
  readonly layer: MergedLayer | null;
};

/** Field to the value that stood beneath the operator's override when it was written; null where there was none. */
export type Beneath = Readonly<Record<string, unknown>>;

/** Field to the offers that an operator has turned down: layer to the {@link verdictOf} the conflict. */
export type Settled = Readonly<Record<string, Readonly<Partial<Record<MergedLayer, string>>>>>;

/** What the conflicts of an endpoint come from. */
export interface Contested {
  readonly layers: Layers;
  readonly beneath: Beneath;
  readonly settled: Settled;
}

/** The conflicts that wait for an operator, ordered by field. */
export function conflictsOf({ layers: all, beneath, settled }: Contested): readonly Conflict[] {
  if (Object.keys(all).length < 2 && all.operator === undefined) return [];
  const found = [...invocationConflicts(all), ...overrideConflicts(all, beneath)];
  const open = found.filter((conflict) => !isSettled(conflict, settled));
  return open.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

/** What a settlement remembers of a conflict: another offer, or another value in force, is another conflict. */
export function verdictOf({ kept, offered }: Conflict): string {
  return sha256Hex(canonicalJson([kept, offered]));
}

function isSettled(conflict: Conflict, settled: Settled): boolean {
  const verdict = conflict.layer === null ? undefined : settled[conflict.field]?.[conflict.layer];
  return verdict !== undefined && verdict === verdictOf(conflict);
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

function beneathOperator({ operator: _, held: __, ...documents }: Layers): ReturnType<typeof merge> {
  return merge(documents);
}
