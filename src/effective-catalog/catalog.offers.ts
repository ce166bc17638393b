/** Joins an agent's rows to what its skills offer it, in the order of contract 7, each offer judged. Pure. */
import type { AgentRow, AssignmentRow, CatalogRows, SkillRow, ToolRow } from './catalog.rows.js';
import { byCodePoint } from './code-point.order.js';
import { groupedBy } from './grouped-by.js';
import type { Objection, Offer, Terms } from './disclosure.offer.js';
import { objectionTo } from './disclosure.policy.js';

export interface OfferedSkill {
  readonly agent: AgentRow;
  readonly assignment: AssignmentRow;
  readonly skill: SkillRow;
  /** Ids of skills that it requires and that are inactive or not assigned. */
  readonly missingSkills: readonly string[];
  /** By tool name, then id. */
  readonly offers: readonly JudgedOffer[];
}

export interface JudgedOffer extends Offer {
  /** Why it is withheld; undefined where it is disclosed. */
  readonly objection: Objection | undefined;
}

export function isDisclosed({ objection }: JudgedOffer): boolean {
  return objection === undefined;
}

/** Skills by sequence, then priority descending, then name, then id. */
export function offersOf(rows: CatalogRows, terms: Terms): readonly OfferedSkill[] {
  const skills = new Map(rows.skills.map((skill) => [skill.skill_id, skill]));
  const required = groupedBy(
    rows.dependencies.filter((dependency) => dependency.required),
    ({ skill_id }) => skill_id,
  );
  const offersIn = offersBySkill(rows, terms);
  return rows.assignments
    .flatMap((assignment) => {
      const skill = skills.get(assignment.skill_id);
      if (skill === undefined) return [];
      const missingSkills = (required.get(skill.skill_id) ?? [])
        .map(({ depends_on_skill_id }) => depends_on_skill_id)
        .filter((id) => skills.get(id)?.active !== true)
        .sort(byCodePoint);
      const assigned = { agent: rows.agent, assignment, skill, missingSkills };
      return [{ ...assigned, offers: offersIn(assigned) }];
    })
    .sort(bySequence);
}

type AssignedSkill = Omit<OfferedSkill, 'offers'>;

function offersBySkill(rows: CatalogRows, terms: Terms): (assigned: AssignedSkill) => readonly JudgedOffer[] {
  const { agent } = rows;
  const tools = new Map(rows.tools.map((tool) => [tool.tool_id, tool]));
  const endpoints = new Map(rows.endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint]));
  const exposures = new Set(rows.exposures.map(({ tool_id }) => tool_id));
  const links = groupedBy(rows.links, ({ skill_id }) => skill_id);
  return (assigned) =>
    (links.get(assigned.skill.skill_id) ?? [])
      .flatMap((link) => {
        const tool = tools.get(link.tool_id);
        if (tool === undefined) return [];
        const endpoint = endpoints.get(tool.endpoint_id ?? '');
        const exposed = agent.gated ? exposures.has(tool.tool_id) : undefined;
        const offer: Offer = { ...assigned, link, tool, endpoint, exposed };
        return [{ ...offer, objection: objectionTo(offer, terms) }];
      })
      .sort((a, b) => byNameThenId(a.tool, b.tool));
}

/**
 * A skill is given to an active agent while it is active, has all that it requires, and has an active tool (the rule of
 * assignment, contract 6); policies only shorten the list of its tools.
 */
export function isGiven({ agent, skill, missingSkills, offers }: OfferedSkill): boolean {
  return (
    agent.inactive_part === null &&
    skill.active &&
    missingSkills.length === 0 &&
    offers.some(({ tool }) => tool.active)
  );
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
