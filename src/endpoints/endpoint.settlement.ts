import { RuleBroken } from '../eventsourcing/errors.js';
import { conflictsOf, valuesBeneath, verdictOf, type Beneath, type Settled } from './endpoint.conflicts.js';
import type { KnownEndpoint } from './endpoint.state.js';
import {
  factsFrom,
  fieldsOf,
  invocationFields,
  merge,
  type Layer,
  type MergedLayer,
} from './endpoint.layers.js';
import type { EndpointFacts } from '../formats/endpoint-facts.js';

/** What an operator decides about a field in conflict: the layer whose value it takes. */
export interface Choice {
  /** Dot path. */
  readonly field: string;
  readonly take: Layer;
}

/** The operator layer after a settlement, and what is settled. */
export interface Settlement {
  readonly overrides: EndpointFacts;
  readonly beneath: Beneath;
  readonly settled: Settled;
}

/**
 * Settles the conflict of a field. `operator` keeps the override and accepts what stands beneath it; the layer that
 * makes the offer takes its place (any, where no layer says it any longer). How an endpoint is called is never taken from another layer (docs/contract.md, section 4): there
 * only the layer in force can be named, which turns the offers down until they change.
 *
 * @throws RuleBroken `no_conflict`, `not_offered`, `invocation_not_taken`
 */
export function settle(known: KnownEndpoint, { field, take }: Choice): Settlement {
  const conflicts = conflictsOf(known).filter((conflict) => conflict.field === field);
  const [conflict] = conflicts;
  if (conflict === undefined)
    throw new RuleBroken('no_conflict', `There is no open conflict about ${field}.`);
  const { layers, beneath, settled } = known;
  const overrides = new Map(fieldsOf(layers.operator ?? {}));
  if (invocationFields.has(field)) {
    const { [field]: inForce = 'source' } = merge(layers).provenance;
    if (take !== inForce) throw invocationNotTaken(field, inForce);
    const verdict = Object.fromEntries(
      conflicts.map((offer): [string, string] => [String(offer.layer), verdictOf(offer)]),
    );
    return {
      overrides: layers.operator ?? {},
      beneath,
      settled: { ...settled, [field]: { ...settled[field], ...verdict } },
    };
  }
  if (take === 'operator') {
    const seen = valuesBeneath(layers, new Map([[field, conflict.kept]]));
    return { overrides: layers.operator ?? {}, beneath: { ...beneath, ...seen }, settled };
  }
  if (conflict.layer !== null && take !== conflict.layer) throw notOffered(field, take, conflict.layer);
  overrides.delete(field);
  const { [field]: _, ...rest } = beneath;
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
