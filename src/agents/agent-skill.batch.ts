/** Several skills of one agent at once: assigned, replaced, or just checked. One query per kind of fact. */
import type { Command } from '../eventsourcing/command.js';
import { Invalid, RuleBroken, type Fault } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { refuseUnsafe } from '../skills/skill-safety.js';
import type { SkillFacts } from '../skills/skill.lookup.js';
import {
  agentSkillId,
  AssignSkill,
  PutAssignment,
  UnassignSkill,
  type AssignmentTerms,
} from './agent-skill.commands.js';
import { skillsSeen, standingsOf, type Standing } from './agent-skill.lookup.js';
import type { Assignment } from './agent-skill.schemas.js';
import { requireAgent } from './agents.filter.js';
import {
  alreadyAssigned,
  loosensTerms,
  needsAdministrator,
  problemsOf,
  sameTerms,
  type AssignmentProblem,
} from './assignment.policy.js';

/** Who asks, and which agent it is about. */
export interface AgentRequest {
  readonly caller: Caller;
  readonly visibility: Visibility;
  readonly agentDefId: string;
}

/** One skill of the batch with what the rule of assignment finds. */
export interface CheckedAssignment {
  readonly skillId: string;
  readonly terms: AssignmentTerms;
  readonly skill: SkillFacts | undefined;
  readonly problems: readonly AssignmentProblem[];
}

/** The checks of {@link planBatch} without its writing. */
export async function checkBatch(
  sql: Sql,
  request: AgentRequest,
  skills: readonly Assignment[],
): Promise<readonly CheckedAssignment[]> {
  const { known, standings } = await factsOf(sql, request, skills);
  return skills.map(({ skillId, ...terms }) => {
    const skill = known.get(skillId);
    const standing = standings.get(skillId);
    const problems = [
      ...looseningOf(request, skillId, loosensTerms(standing?.terms, terms)),
      ...(standing?.active ? [alreadyAssigned(skillId)] : []),
      ...problemsOf(skillId, skill),
    ];
    return { skillId, terms, skill, problems: stays(standing, terms) ? [] : problems };
  });
}

export async function planBatch(
  sql: Sql,
  request: AgentRequest,
  skills: readonly Assignment[],
): Promise<Command[]> {
  const checked = await checkBatch(sql, request, skills);
  refuse(request, checked);
  return checked.map(({ skillId, terms, skill }) => {
    const { agentDefId, visibility } = request;
    const payload = { agentDefId, skillId, terms, skill };
    return new AssignSkill(visibility.hostId, agentSkillId(agentDefId, skillId), payload);
  });
}

/** What stays as it is need not pass the rule; what is no longer named is taken away first. */
export async function planReplacement(
  sql: Sql,
  request: AgentRequest,
  skills: readonly Assignment[],
): Promise<Command[]> {
  const { agentDefId, visibility } = request;
  const { known, standings } = await factsOf(sql, request, skills);
  const wanted = skills.map(({ skillId, ...terms }) => {
    const skill = known.get(skillId);
    const standing = standings.get(skillId);
    const loosening = looseningOf(request, skillId, loosensTerms(standing?.terms, terms));
    const problems = [...loosening, ...problemsOf(skillId, skill)];
    return { skillId, terms, skill, problems: stays(standing, terms) ? [] : problems };
  });
  refuse(request, wanted);
  const named = new Set(skills.map(({ skillId }) => skillId));
  const gone = [...standings].filter(([skillId, { active }]) => active && !named.has(skillId));
  const aggregateOf = (skillId: string): [string, string] => [
    visibility.hostId,
    agentSkillId(agentDefId, skillId),
  ];
  return [
    ...gone.map(([skillId]) => new UnassignSkill(...aggregateOf(skillId), { agentDefId, skillId })),
    ...wanted.map(
      ({ skillId, terms, skill }) =>
        new PutAssignment(...aggregateOf(skillId), { agentDefId, skillId, terms, skill }),
    ),
  ];
}

/** What is assigned on equal terms need not pass the rule of assignment. */
function stays(standing: Standing | undefined, terms: AssignmentTerms): boolean {
  return standing?.active === true && sameTerms(standing.terms, terms);
}

async function factsOf(sql: Sql, request: AgentRequest, skills: readonly Assignment[]) {
  await refuseUnsafe({ skills });
  refuseTwice(skills);
  const { visibility, agentDefId } = request;
  await requireAgent(sql, visibility, agentDefId);
  const ids = skills.map(({ skillId }) => skillId);
  const known = await skillsSeen(sql, visibility, ids);
  const standings = await standingsOf(sql, visibility.hostId, agentDefId);
  return { known, standings };
}

function refuseTwice(skills: readonly Assignment[]): void {
  const seen = new Set<string>();
  const faults = skills.flatMap(({ skillId }, at): Fault[] => {
    if (!seen.has(skillId)) {
      seen.add(skillId);
      return [];
    }
    return [{ pointer: `/skills/${String(at)}/skillId`, detail: 'is named in this batch before' }];
  });
  if (faults.length > 0) throw new Invalid('invalid_body', 'Name each skill once.', faults);
}

/** What only an administrator may do is a problem of anybody else. */
function looseningOf({ caller }: AgentRequest, skillId: string, loosens: boolean): AssignmentProblem[] {
  return loosens && !caller.scopes.has('catalog:admin') ? [needsAdministrator(skillId)] : [];
}

/** All or none: with every problem of every skill, the code being that of the first. */
function refuse({ caller }: AgentRequest, checked: readonly CheckedAssignment[]): void {
  const found = checked.flatMap(({ problems }, at) => problems.map((problem) => ({ ...problem, at })));
  const [first] = found;
  if (first === undefined) return;
  if (found.some(({ code }) => code === 'insufficient_scope')) requireScope(caller, 'catalog:admin');
  const faults = found.map(({ at, message }) => ({ pointer: `/skills/${String(at)}`, detail: message }));
  throw new RuleBroken(first.code, `None of the skills was assigned. ${first.message}`, faults);
}
