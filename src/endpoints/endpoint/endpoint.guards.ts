import { exceeds, tierOf } from '../../platform/auth/sensitivity-tier.js';
import { isDeepStrictEqual } from 'node:util';
import { differences, isSuspicious } from './change-grade.js';
import { effectiveOf } from './endpoint.effective.js';
import type { EndpointFacts } from '../../formats/shared.js';
import { factsFrom, type Fields, fieldsOf, type Layers } from './endpoint.layers.js';

/** What of an endpoint or a tool guards against harm. */
export interface Guarded {
  readonly routing: { readonly sensitivityTier?: string };
  readonly safety: {
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly humanApprovalRequired?: boolean;
    readonly approvalWorkflow?: string;
  };
}

/**
 * The fields by which a change loosens a guard: a lower tier, a cleared safety flag, an approval workflow set,
 * and read-only where it was not: links of access level `read` admit it from then on. Only an administrator may make
 * such a change (docs/contract.md, section 2, scopes).
 */
export function loosened(before: Guarded, after: Guarded): readonly string[] {
  const fields: string[] = [];
  if (exceeds(tierOf(before.routing.sensitivityTier), tierOf(after.routing.sensitivityTier))) {
    fields.push('routing.sensitivityTier');
  }
  for (const flag of ['destructive', 'humanApprovalRequired'] as const) {
    if (before.safety[flag] === true && after.safety[flag] !== true) fields.push(`safety.${flag}`);
  }
  if (before.safety.readOnly !== true && after.safety.readOnly === true) fields.push('safety.readOnly');
  const { approvalWorkflow } = after.safety;
  if (approvalWorkflow !== undefined && approvalWorkflow !== before.safety.approvalWorkflow) {
    fields.push('safety.approvalWorkflow');
  }
  return fields;
}

/** Guard (dot path) to the value that stays in force; null where none did. */
export type Held = Readonly<Record<string, unknown>>;

/**
 * The guards that stay in force although documents now say less: a writer brings the document, an administrator
 * accepts what it loosens (docs/contract.md, section 4).
 *
 * @param before with what was held until now
 * @param after what the layers say once the document is taken in
 * @param mayLoosen whether an administrator brings it: of what was held before, only what it does not speak of stays so
 */
export function heldAfter(before: Layers, after: Layers, mayLoosen: boolean): Held {
  const [inForce, offered] = [effectiveOf(before).facts, effectiveOf(withoutHeld(after)).facts];
  if (!mayLoosen) {
    const guards = guardsOf(inForce);
    return Object.fromEntries(loosened(inForce, offered).map((field) => [field, guards.get(field) ?? null]));
  }
  const [said, says] = [effectiveOf(withoutHeld(before)).facts, offered].map(guardsOf);
  const stays = ([field]: [string, unknown]) => isDeepStrictEqual(said?.get(field), says?.get(field));
  return Object.fromEntries([...fieldsOf(before.held ?? {})].filter(stays));
}

/** Returns the layers with exactly these guards held. */
export function holding(layers: Layers, held: Held): Layers {
  const documents = withoutHeld(layers);
  return Object.keys(held).length === 0 ? documents : { ...documents, held: factsFrom(Object.entries(held)) };
}

/** Drops held guards that an operator overrides. */
export function heldBeside(held: EndpointFacts | undefined, operator: EndpointFacts): Held {
  const spoken = fieldsOf(operator);
  return Object.fromEntries([...fieldsOf(held ?? {})].filter(([field]) => !spoken.has(field)));
}

export function withoutHeld({ held: _, ...layers }: Layers): Layers {
  return layers;
}

/**
 * Whether what documents change is suspicious, whatever an operator says over it: that may be taken back.
 * Schemas are not graded: their texts alone can be suspicious.
 */
export function turnsSuspicious(before: Layers, after: Layers): boolean {
  const [was, is] = [documentFields(before), documentFields(after)];
  return differences(was, is).some((field) => isSuspicious(field, was.get(field), is.get(field)));
}

function documentFields({ operator: _, held: __, ...documents }: Layers): Fields {
  return fieldsOf(effectiveOf(documents).facts as EndpointFacts);
}

function guardsOf({
  routing,
  safety,
}: Pick<EndpointFacts, 'routing' | 'safety'>): ReadonlyMap<string, unknown> {
  return fieldsOf({ routing: { sensitivityTier: tierOf(undefined), ...routing }, safety: { ...safety } });
}
