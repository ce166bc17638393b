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

/** Field to the value under the operator's override when it was written; null where there was none. */
export type Baseline = Readonly<Record<string, unknown>>;

/** Field to the offers that an operator has turned down: layer to the {@link verdictOf} the conflict. */
export type Settled = Readonly<Record<string, Readonly<Partial<Record<MergedLayer, string>>>>>;

/** The state that the conflicts of an endpoint follow from. */
export interface Contested {
  readonly layers: Layers;
  readonly beneath: Baseline;
  readonly settled: Settled;
}

/** The conflicts that wait for an operator, ordered by field. */
export function conflictsOf({ layers: all, beneath, settled }: Contested): readonly Conflict[] {
  if (Object.keys(all).length < 2 && all.operator === undefined) return [];
  const found = [...invocationConflicts(all), ...overrideConflicts(all, beneath)];
  const open = found.filter((conflict) => !isSettled(conflict, settled));
  return open.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

/** Identifies a conflict for its settlement: another offer, or another value in force, is another conflict. */
export function verdictOf({ kept, offered }: Conflict): string {
  return sha256Hex(canonicalJson([kept, offered]));
}

function isSettled(conflict: Conflict, settled: Settled): boolean {
  const verdict = conflict.layer === null ? undefined : settled[conflict.field]?.[conflict.layer];
  return verdict !== undefined && verdict === verdictOf(conflict);
}

/** Finds conflicts about how an endpoint is called: one layer decides, offers of others are shown and never taken. */
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

/** Finds overrides whose replaced value has changed since: they stay in force and wait for an operator. */
function overrideConflicts(all: Layers, beneath: Baseline): Conflict[] {
  const { facts, provenance } = withoutOperator(all);
  const now = fieldsOf(facts);
  const conflicts: Conflict[] = [];
  for (const [field, kept] of fieldsOf(all.operator ?? {})) {
    const offered = now.get(field) ?? null;
    if (isDeepStrictEqual(offered, beneath[field] ?? null) || isDeepStrictEqual(offered, kept)) continue;
    conflicts.push({ field, kept, offered, layer: provenance[field] ?? null });
  }
  return conflicts;
}

/** Returns the values under the overridden fields, to be kept with the override. */
export function baselineOf(all: Layers, fields: Fields): Baseline {
  const now = fieldsOf(withoutOperator(all).facts);
  return Object.fromEntries([...fields.keys()].map((field) => [field, now.get(field) ?? null]));
}

function withoutOperator({ operator: _, held: __, ...documents }: Layers): ReturnType<typeof merge> {
  return merge(documents);
}
