/** Assigns, replaces or checks several skills of one agent at once, with one query per kind of fact. */
import { Invalid, RuleBroken, type Fault } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { mayLoosen, refuseLessGuarded } from '../platform/auth/claims.js';
import { handle, receiptsOf, UseCase, type Receipts, type Writer } from '../platform/use-cases/use-case.js';
import { refuseUnsafe } from '../skills/shared.js';
import type { SkillFacts } from '../skills/public.js';
import {
  agentSkill,
  formerAssignments,
  skillsSeen,
  type AssignmentEnds,
  type AssignmentFacts,
} from './agent-skill.link.js';
import {
  alreadyAssigned,
  loosensTerms,
  needsAdministrator,
  problemsOf,
  sameTerms,
  type AssignmentBody,
  type AssignmentProblem,
  type FormerAssignment,
} from './agent-skill.rules.js';
import { requireAgent } from './agents.filter.js';

/** The skills that an agent shall have, each once. */
export interface SkillSelection {
  readonly agentDefId: string;
  readonly skills: readonly (AssignmentBody & { readonly skillId: string })[];
}

type SkillReceipts = Receipts<{ readonly skillId: string }>;

/** Assigns all of the skills or none; an assignment on equal terms stays as it is. */
export class AssignSkills extends UseCase<SkillSelection, SkillReceipts> {}

/** Replaces all skills of the agent; an assignment that stays as it is need not pass the rule of assignment. */
export class ReplaceSkills extends UseCase<SkillSelection, SkillReceipts> {}

export const agentSkillBatchHandlers = [
  handle(AssignSkills, {
    check: checkSelection,
    load: loadSelection,
    decide(facts, input, writer) {
      refuse(writer, problemsIn(facts, input, writer, 'new or equal'));
      return assigning(facts, input, writer, 'new or equal');
    },
    result: receiptsOf(skillOf),
  }),
  handle(ReplaceSkills, {
    check: checkSelection,
    load: loadSelection,
    decide(facts, input, writer) {
      refuse(writer, problemsIn(facts, input, writer, 'any'));
      const { agentDefId, skills } = input;
      const { hostId } = writer.visibility;
      const named = new Set(skills.map(({ skillId }) => skillId));
      const gone = [...facts.former].filter(([skillId, { active }]) => active && !named.has(skillId));
      return [
        ...gone.map(([skillId]) => agentSkill.remove(hostId, { agentDefId, skillId }, undefined)),
        ...assigning(facts, input, writer, 'any'),
      ];
    },
    result: receiptsOf(skillOf),
  }),
];

function skillOf({ command }: Parameters<Parameters<typeof receiptsOf>[0]>[0]): { readonly skillId: string } {
  return { skillId: (command.payload as AssignmentEnds).skillId };
}

/** Lists why {@link AssignSkills} would refuse each skill of the selection. Throws NotFound where there is no agent. */
export async function checkAssignments(sql: Sql, input: SkillSelection, asks: Asking) {
  await checkSelection(input, asks);
  const problems = problemsIn(await loadSelection(sql, input, asks), input, asks, 'new or equal');
  return input.skills.map(({ skillId }, at) => {
    const own = problems[at] ?? [];
    return { skillId, ok: own.length === 0, problems: own };
  });
}

/** The caller, and what they see. */
type Asking = Pick<Writer, 'caller' | 'visibility'>;

interface SelectionFacts {
  readonly known: ReadonlyMap<string, SkillFacts>;
  readonly former: ReadonlyMap<string, FormerAssignment>;
}

async function checkSelection({ skills }: SkillSelection, asks: Asking): Promise<void> {
  await refuseUnsafe({ skills }, asks);
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

async function loadSelection(
  sql: Sql,
  { agentDefId, skills }: SkillSelection,
  { visibility }: Asking,
): Promise<SelectionFacts> {
  await requireAgent(sql, visibility, agentDefId);
  const ids = skills.map(({ skillId }) => skillId);
  const known = await skillsSeen(sql, visibility, ids);
  return { known, former: await formerAssignments(sql, visibility.hostId, agentDefId) };
}

/** Lists the problems of each skill; an assignment on equal terms need not pass the rule of assignment. */
function problemsIn(
  { known, former }: SelectionFacts,
  { skills }: SkillSelection,
  { caller }: Asking,
  mayBe: AssignmentFacts['mayBe'],
): readonly (readonly AssignmentProblem[])[] {
  return skills.map(({ skillId, ...terms }) => {
    const before = former.get(skillId);
    if (before?.active && sameTerms(before.terms, terms)) return [];
    const loosens = loosensTerms(before?.terms, terms) && !mayLoosen(caller);
    return [
      ...(loosens ? [needsAdministrator(skillId)] : []),
      ...(before?.active && mayBe === 'new or equal' ? [alreadyAssigned(skillId)] : []),
      ...problemsOf(skillId, known.get(skillId)),
    ];
  });
}

/** Throws RuleBroken where there is a problem, with all of them and the code of the first. */
function refuse({ caller }: Asking, problems: readonly (readonly AssignmentProblem[])[]): void {
  const found = problems.flatMap((own, at) => own.map((problem) => ({ ...problem, at })));
  const [first] = found;
  if (first === undefined) return;
  const isLooser = found.some(({ code }) => code === 'insufficient_scope');
  refuseLessGuarded(caller, isLooser);
  const faults = found.map(({ at, message }) => ({ pointer: `/skills/${String(at)}`, detail: message }));
  throw new RuleBroken(first.code, `None of the skills was assigned. ${first.message}`, faults);
}

function assigning(
  { known, former }: SelectionFacts,
  { agentDefId, skills }: SkillSelection,
  { caller, visibility }: Asking,
  mayBe: AssignmentFacts['mayBe'],
) {
  return skills.map(({ skillId, config, priority, sequenceId }) => {
    const facts = { caller, skill: known.get(skillId), former: former.get(skillId), mayBe };
    return agentSkill.put(visibility.hostId, { agentDefId, skillId, config, priority, sequenceId }, facts);
  });
}
