/** Why an agent is given a tool, or not: every rule with what it compared. Pure. */
import { termsOf } from './catalog.document.js';
import { offersOf, type JudgedOffer } from './catalog.offers.js';
import type { CatalogRows } from './catalog.rows.js';
import type { Circumstances } from './disclosure.offer.js';
import { rules } from './disclosure.policy.js';

export type ExplainedOffer = ReturnType<typeof explain>[number];

/**
 * One entry for each assigned skill that is linked to the tool, in the order of the catalog; none where no skill
 * offers it.
 *
 * @param tool id, or name
 */
export function explain(rows: CatalogRows, circumstances: Circumstances, tool: string) {
  const terms = termsOf(rows, circumstances);
  const offers = offersOf(rows, terms)
    .flatMap((skill) => skill.offers)
    .filter((offer) => offer.tool.tool_id === tool || offer.tool.name === tool);
  return offers.map((offer) => ({
    skillId: offer.skill.skill_id,
    skillName: offer.skill.name,
    toolId: offer.tool.tool_id,
    toolName: offer.tool.name,
    ...outcomeOf(offer),
    rules: rules.map(({ reason, compared, objection }) => {
      const detail = objection(offer, terms);
      const outcome = detail === undefined ? ('passed' as const) : ('withheld' as const);
      return { reason, outcome, compared: compared(offer, terms), detail };
    }),
  }));
}

/** What the first rule that objects makes of it. */
function outcomeOf({ objection }: JudgedOffer) {
  return { disclosed: objection === undefined, reason: objection?.reason };
}
