/**
 * Which tools an agent is given, and why it is not given the others: the ordered rules of contract 7
 * (reference 1, Security Rules). Pure: rows in, a reason out.
 */
import { availabilityRules } from './availability.rules.js';
import type { Objection, Offer, Rule, Terms } from './disclosure.offer.js';
import { permissionRules } from './permission.rules.js';

/** In the order of contract 7. */
export const rules: readonly Rule[] = [...availabilityRules, ...permissionRules];

/** The first rule that withholds the tool, or undefined where it is disclosed. */
export function objectionTo(offer: Offer, terms: Terms): Objection | undefined {
  for (const { reason, objection } of rules) {
    const detail = objection(offer, terms);
    if (detail !== undefined) return { reason, detail };
  }
  return undefined;
}
