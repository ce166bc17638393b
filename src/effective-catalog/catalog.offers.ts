/** Joins an agent's rows to what its skills offer it, in the order of contract 7, each offer judged. Pure. */
import type { AssignmentRow, CatalogRows, LinkRow, SkillRow, ToolRow } from './catalog.rows.js';
import { byCodePoint } from './code-point.order.js';
import type { Objection, Offer, Terms } from './disclosure.policy.js';
import { objectionTo } from './disclosure.policy.js';

export interface OfferedSkill {
  readonly assignment: AssignmentRow;
  readonly skill: SkillRow;
  /** By tool name, then id. */
  readonly offers: readonly JudgedOffer[];
}

export interface JudgedOffer extends Offer {
  /** Why it is withheld; undefined where it is disclosed. */
  readonly objection: Objection | undefined;
}

/** Skills by sequence, then priority descending, then name, then id. */
export function offersOf(rows: CatalogRows, terms: Terms): readonly OfferedSkill[] {
  const skills = new Map(rows.skills.map((skill) => [skill.skill_id, skill]));
  const tools = new Map(rows.tools.map((tool) => [tool.tool_id, tool]));
  const endpoints = new Map(rows.endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint]));
  const links = linksBySkill(rows.links);
  return rows.assignments
    .flatMap((assignment) => {
      const skill = skills.get(assignment.skill_id);
      if (skill === undefined) return [];
      const offers = (links.get(skill.skill_id) ?? []).flatMap((link) => {
        const tool = tools.get(link.tool_id);
        if (tool === undefined) return [];
        const endpoint = endpoints.get(tool.endpoint_id ?? '');
        const offer: Offer = { agent: rows.agent, assignment, skill, link, tool, endpoint };
        return [{ ...offer, objection: objectionTo(offer, terms) }];
      });
      return [{ assignment, skill, offers: offers.sort((a, b) => byNameThenId(a.tool, b.tool)) }];
    })
    .sort(bySequence);
}

/**
 * A skill is given to the agent while it is active and has an active tool (the rule of assignment, contract 6);
 * policies only shorten the list of its tools.
 */
export function isGiven({ skill, offers }: OfferedSkill): boolean {
  return skill.active && offers.some(({ tool }) => tool.active);
}

function linksBySkill(links: readonly LinkRow[]): Map<string, LinkRow[]> {
  const bySkill = new Map<string, LinkRow[]>();
  for (const link of links) {
    const known = bySkill.get(link.skill_id);
    if (known === undefined) bySkill.set(link.skill_id, [link]);
    else known.push(link);
  }
  return bySkill;
}

function bySequence(a: OfferedSkill, b: OfferedSkill): number {
  return (
    a.assignment.sequence_id - b.assignment.sequence_id ||
    b.assignment.priority - a.assignment.priority ||
    byCodePoint(a.skill.name, b.skill.name) ||
    byCodePoint(a.skill.skill_id, b.skill.skill_id)
  );
}

function byNameThenId(a: ToolRow, b: ToolRow): number {
  return byCodePoint(a.name, b.name) || byCodePoint(a.tool_id, b.tool_id);
}
