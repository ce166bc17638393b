import type { EventOf } from '../../kernel/event.js';
import type { apiEndpointConflictSettled, apiEndpointOverridden } from './endpoint.events.js';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.js';
import {
  factsFrom,
  type Fields,
  fieldsOf,
  invocationFields,
  type Layer,
  layers,
  type Layers,
  merge,
  type MergedLayer,
} from './endpoint.layers.js';
import { RuleBroken } from '../../kernel/errors.js';
import type { EndpointFacts } from '../../formats/shared.js';

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

/** The part of an endpoint's state from which its conflicts follow. */
export interface Contested {
  readonly layers: Layers;
  readonly baseline: Baseline;
  readonly settled: Settled;
}

/** The conflicts that wait for an operator, ordered by field. */
export function conflictsOf({ layers: all, baseline, settled }: Contested): readonly Conflict[] {
  if (Object.keys(all).length < 2 && all.operator === undefined) return [];
  const found = [...invocationConflicts(all), ...overrideConflicts(all, baseline)];
  const open = found.filter((conflict) => !isSettled(conflict, settled));
  return open.sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

/** Identifies a conflict for its settlement: another offer, or another value in force, is another conflict. */
function verdictOf({ kept, offered }: Conflict): string {
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
function overrideConflicts(all: Layers, baseline: Baseline): Conflict[] {
  const { facts, provenance } = withoutOperator(all);
  const now = fieldsOf(facts);
  const conflicts: Conflict[] = [];
  for (const [field, kept] of fieldsOf(all.operator ?? {})) {
    const offered = now.get(field) ?? null;
    if (isDeepStrictEqual(offered, baseline[field] ?? null) || isDeepStrictEqual(offered, kept)) continue;
    conflicts.push({ field, kept, offered, layer: provenance[field] ?? null });
  }
  return conflicts;
}

/** Returns the values under the overridden fields, to be kept with the override. */
function baselineOf(all: Layers, fields: Fields): Baseline {
  const now = fieldsOf(withoutOperator(all).facts);
  return Object.fromEntries([...fields.keys()].map((field) => [field, now.get(field) ?? null]));
}

function withoutOperator({ operator: _, held: __, ...documents }: Layers): ReturnType<typeof merge> {
  return merge(documents);
}

type Change<Facts> = { readonly [Field in keyof Facts]?: Facts[Field] | null };

/** The overrides of an endpoint: left out is unchanged, `null` takes back (a whole part as well). */
export interface Overrides {
  readonly description?: string | null;
  readonly operatorDescription?: string | null;
  readonly lifecycleStatus?: EndpointFacts['lifecycleStatus'] | null;
  readonly routing?: Change<NonNullable<EndpointFacts['routing']>> | null;
  /** `read_only` is read as `readOnly`. */
  readonly safety?: Change<NonNullable<EndpointFacts['safety']> & { readonly read_only?: boolean }> | null;
}

/** The operator layer after a change, and the value under each of its fields. */
type OperatorLayer = EventOf<typeof apiEndpointOverridden>['data'];

/**
 * Applies an operator's change: a value overrides, `null` takes an override back, a whole part as well; what is
 * left out stays. Writing a field again, even with the same value, accepts the value that is then under it.
 */
export function override(all: Layers, baseline: Baseline, change: Overrides): OperatorLayer {
  const { routing, safety, ...members } = change;
  const fields = new Map(fieldsOf(all.operator ?? {}));
  const written = new Map<string, unknown>();
  if (routing === null) takeBack(fields, 'routing.');
  if (safety === null) takeBack(fields, 'safety.');
  for (const [field, value] of saidBy(members, routing ?? {}, oneSpelling(safety ?? {}))) {
    if (value === null) fields.delete(field);
    else written.set(field, value);
  }
  const overrides = new Map([...fields, ...written]);
  const remembered = [...overrides.keys()].map((field) => [field, baseline[field] ?? null] as const);
  return {
    overrides: factsFrom(overrides),
    beneath: { ...Object.fromEntries(remembered), ...baselineOf(all, written) },
  };
}

/** Both spellings of the read-only flag are read, and one is kept. */
function oneSpelling({ read_only: readOnly, ...safety }: NonNullable<Overrides['safety']>): object {
  return readOnly === undefined ? safety : { readOnly, ...safety };
}

function takeBack(fields: Map<string, unknown>, prefix: string): void {
  for (const field of [...fields.keys()]) if (field.startsWith(prefix)) fields.delete(field);
}

function saidBy(members: object, routing: object, safety: object): readonly (readonly [string, unknown])[] {
  return [
    ...Object.entries(members),
    ...Object.entries(routing).map(([name, value]) => [`routing.${name}`, value] as const),
    ...Object.entries(safety).map(([name, value]) => [`safety.${name}`, value] as const),
  ].filter(([, value]) => value !== undefined);
}

/** What an operator decides about a field in conflict: the layer whose value it takes. */
export interface Choice {
  /** Dot path. */
  readonly field: string;
  readonly take: Layer;
}

/** The operator layer after a settlement, and what is settled. */
type Settlement = Omit<EventOf<typeof apiEndpointConflictSettled>['data'], keyof Choice>;

/**
 * Settles the conflict of a field. `operator` keeps the override and accepts the value under it; the layer that
 * makes the offer takes its place (any, where no layer says it any longer). How an endpoint is called is never taken from another layer (docs/contract.md, section 4): there
 * only the layer in force can be named, which turns the offers down until they change.
 *
 * @throws RuleBroken `no_conflict`, `not_offered`, `invocation_not_taken`
 */
export function settle(known: Contested, { field, take }: Choice): Settlement {
  const conflicts = conflictsOf(known).filter((conflict) => conflict.field === field);
  const [conflict] = conflicts;
  if (conflict === undefined)
    throw new RuleBroken('no_conflict', `There is no open conflict about ${field}.`);
  const { layers, baseline, settled } = known;
  const overrides = new Map(fieldsOf(layers.operator ?? {}));
  if (invocationFields.has(field)) {
    const { [field]: inForce = 'source' } = merge(layers).provenance;
    if (take !== inForce) throw invocationNotTaken(field, inForce);
    const verdict = Object.fromEntries(
      conflicts.map((offer): [string, string] => [String(offer.layer), verdictOf(offer)]),
    );
    return {
      overrides: layers.operator ?? {},
      beneath: baseline,
      settled: { ...settled, [field]: { ...settled[field], ...verdict } },
    };
  }
  if (take === 'operator') {
    const seen = baselineOf(layers, new Map([[field, conflict.kept]]));
    return { overrides: layers.operator ?? {}, beneath: { ...baseline, ...seen }, settled };
  }
  if (conflict.layer !== null && take !== conflict.layer) throw notOffered(field, take, conflict.layer);
  overrides.delete(field);
  const { [field]: _, ...rest } = baseline;
  return { overrides: factsFrom(overrides), beneath: rest, settled };
}

function invocationNotTaken(field: string, layer: MergedLayer): RuleBroken {
  const detail = `${field} says how the endpoint is called: only the ${layer} sets it. Take ${layer}, which turns the offer down.`;
  return new RuleBroken('invocation_not_taken', detail);
}

function notOffered(field: string, take: Layer, layer: MergedLayer): RuleBroken {
  const detail = `${take} does not offer ${field}. Take operator to keep your value, or ${layer}.`;
  return new RuleBroken('not_offered', detail);
}
