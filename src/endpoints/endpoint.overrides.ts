import { valuesBeneath, type Beneath } from './endpoint.conflicts.js';
import type { Overrides } from './endpoint.commands.js';
import type { EndpointFacts } from '../formats/endpoint-facts.js';
import { factsFrom, fieldsOf, type Layers } from './endpoint.layers.js';

/** The operator layer after a change, and what stands beneath each of its fields. */
export interface OperatorLayer {
  readonly overrides: EndpointFacts;
  readonly beneath: Beneath;
}

/**
 * Applies an operator's change: a value overrides, `null` takes an override back, a whole part as well; what is
 * left out stays. Writing a field again, even with the same value, accepts what then stands beneath it.
 */
export function override(all: Layers, beneath: Beneath, change: Overrides): OperatorLayer {
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
  const remembered = [...overrides.keys()].map((field) => [field, beneath[field] ?? null] as const);
  return {
    overrides: factsFrom(overrides),
    beneath: { ...Object.fromEntries(remembered), ...valuesBeneath(all, written) },
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
