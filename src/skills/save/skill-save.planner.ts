import { v7 } from 'uuid';
import { ImpactLookup } from '../../endpoints/public.js';
import type { Impact } from '../../endpoints/shared.js';
import type { Command, Outcome } from '../../kernel/command.js';
import { Invalid, RuleBroken, type Fault } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Given } from '../../platform/records/fields.js';
import { handle, receiptOf, UseCase, type Receipt, type Writer } from '../../platform/use-cases/use-case.js';
import { planSelection, type Selection } from '../../taxonomy/public.js';
import { toolsSeen } from '../../tools/public.js';
import { documentedLinks } from '../documents/skill-document.lookup.js';
import { planDependencies, skillDependency } from '../links/skill-dependency.link.js';
import { planLinks, planUnlinks, skillTool } from '../links/skill-tool.link.js';
import type { LinkBody } from '../links/skill-tool.rules.js';
import { refuseUnsafe } from '../skill-safety.js';
import { skillFields, type SkillFields } from '../skill.fields.js';
import { requireSkill, skillFactsOf } from '../skill.lookup.js';
import { skill, skillFactsFor } from '../skill.record.js';

/** A skill with what belongs to it, to be saved as one. A list that is left out stays; one that is given is all there is afterwards. */
export interface WholeSkill extends Partial<SkillFields>, Selection {
  /** Left out, one is made. */
  readonly skillId?: string;
  readonly tools?: readonly (LinkBody & { readonly toolId: string })[];
  readonly dependencies?: readonly ({ readonly dependsOnSkillId: string } & Given<
    typeof skillDependency.fields
  >)[];
  readonly dryRun: boolean;
}

/** Ids at the other ends of links. */
interface LinkChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The receipt is the skill's; `changed` is about all of it. */
export interface SavedSkill extends Receipt {
  readonly tools: LinkChanges;
  readonly dependencies: LinkChanges;
  /** Whether its categories or tags are others than before. */
  readonly classified: boolean;
  /** Active agents that have the skill, which is active. */
  readonly agents: Impact['agents'];
  readonly dryRun: boolean;
}

/** Makes or changes a skill with its links to tools, its dependencies, its categories and tags: all of it, or nothing. */
export class SaveSkill extends UseCase<WholeSkill, SavedSkill> {}

export const saveSkillHandler = handle(
  SaveSkill,
  {
    check(whole, writer) {
      refuseIncomplete(whole);
      refuseRepeated(whole);
      const { name, description, contentMarkdown, tools = [] } = whole;
      const links = tools.map(({ config }) => ({ config }));
      return refuseUnsafe({ name, description, contentMarkdown, tools: links }, writer);
    },
    prepare: (_whole, _writer, impacts: ImpactLookup) => Promise.resolve(impacts),
    isDryRun: ({ dryRun }) => dryRun,
    async load(sql, whole, writer, impacts) {
      const { skillId: known } = whole;
      if (known !== undefined) await requireSkill(sql, writer.visibility, known);
      const skillId = known ?? v7();
      const plan = await planned(sql, { ...whole, skillId }, writer, known === undefined);
      const { agents } = await impacts.of(sql, writer.visibility, { kind: 'skill', id: skillId });
      const having = agents.filter(({ skillIds }) => skillIds.includes(skillId));
      return { ...plan, agents: having, dryRun: whole.dryRun };
    },
    decide: ({ itself, selection, links }) => [itself, ...selection, ...links],
    result: (outcomes, position, { selection, agents, dryRun }) => ({
      ...receiptOf(outcomes, position),
      tools: linkChanges(outcomes, skillTool.name),
      dependencies: linkChanges(outcomes, skillDependency.name),
      classified: outcomes.some(({ command, changed }) => changed && selection.includes(command)),
      ...{ agents, dryRun },
    }),
  },
  ImpactLookup,
);

/** @throws Invalid where a new skill lacks what every skill has */
function refuseIncomplete({ skillId, name, contentMarkdown }: WholeSkill): void {
  if (skillId !== undefined) return;
  const missing = Object.entries({ name, contentMarkdown }).filter(([, value]) => value === undefined);
  if (missing.length === 0) return;
  throw new Invalid(
    'invalid_body',
    'A new skill needs a name and content; skillId says which one is changed.',
    missing.map(([member]) => ({ pointer: `/${member}`, detail: 'is required of a new skill' })),
  );
}

/** @throws Invalid where a list names the same record twice */
function refuseRepeated({ tools = [], dependencies = [] }: WholeSkill): void {
  const faults = [
    ...repeated(
      'tools',
      'toolId',
      tools.map(({ toolId }) => toolId),
    ),
    ...repeated(
      'dependencies',
      'dependsOnSkillId',
      dependencies.map((each) => each.dependsOnSkillId),
    ),
  ];
  if (faults.length > 0) throw new Invalid('invalid_body', 'A list names the same record twice.', faults);
}

function repeated(list: string, member: string, ids: readonly string[]): Fault[] {
  return ids.flatMap((id, at) =>
    ids.indexOf(id) === at
      ? []
      : [{ pointer: `/${list}/${String(at)}/${member}`, detail: `${id} stands in the list before.` }],
  );
}

/** The commands of a save. That on the skill itself comes first: the receipt and If-Match are about it. */
interface Plan {
  readonly itself: Command;
  readonly selection: readonly Command[];
  readonly links: readonly Command[];
}

async function planned(
  sql: Sql,
  whole: WholeSkill & { readonly skillId: string },
  writer: Writer,
  isNew: boolean,
): Promise<Plan> {
  const { skillId, categoryIds, tagIds, tools, dependencies } = whole;
  const { visibility } = writer;
  const { hostId } = visibility;
  const fields = fieldsOf(whole);
  const facts = await skillFactsFor(sql, hostId, skillId, fields);
  const entity = { entityType: 'skill', entityId: skillId } as const;
  return {
    itself: isNew
      ? skill.create(hostId, skillId, fields as SkillFields, facts)
      : skill.change(hostId, skillId, fields, facts),
    selection: await planSelection(sql, visibility, entity, { categoryIds, tagIds }),
    links: [
      ...(tools === undefined ? [] : await plannedTools(sql, skillId, tools, writer)),
      ...(dependencies === undefined ? [] : await plannedDependencies(sql, skillId, dependencies, writer)),
    ],
  };
}

function fieldsOf(whole: WholeSkill): Partial<SkillFields> {
  return Object.fromEntries(Object.entries(whole).filter(([member]) => member in skillFields));
}

/** Plans the tools that the skill shall have. Those that the token does not cover stay. */
async function plannedTools(
  sql: Sql,
  skillId: string,
  tools: NonNullable<WholeSkill['tools']>,
  writer: Writer,
): Promise<Command[]> {
  const { visibility } = writer;
  const toolIds = tools.map(({ toolId }) => toolId);
  const seen = new Set((await toolsSeen(sql, visibility, { toolIds })).map(({ toolId }) => toolId));
  const faults = toolIds.flatMap((toolId, at) =>
    seen.has(toolId)
      ? []
      : [{ pointer: `/tools/${String(at)}/toolId`, detail: `There is no tool ${toolId}.` }],
  );
  if (faults.length > 0) {
    const detail = 'Not all of the tools exist, or the token does not cover them.';
    throw new RuleBroken('tool_not_found', detail, faults);
  }
  const linked = (await documentedLinks(sql, visibility, skillId)).map(({ toolId }) => toolId);
  const gone = linked.filter((toolId) => !seen.has(toolId));
  const arriving = toolIds.filter((toolId) => !linked.includes(toolId));
  return [
    ...(await planUnlinks(sql, { hostId: visibility.hostId, skillId }, gone, { arriving })),
    ...(await planLinks(sql, writer, skillId, tools)),
  ];
}

async function plannedDependencies(
  sql: Sql,
  skillId: string,
  dependencies: NonNullable<WholeSkill['dependencies']>,
  { visibility }: Writer,
): Promise<Command[]> {
  const wanted = new Map(dependencies.map((each) => [each.dependsOnSkillId, each.required]));
  const known = await skillFactsOf(sql, visibility.hostId, [...wanted.keys()]);
  const faults = dependencies.flatMap(({ dependsOnSkillId: id }, at) =>
    known.has(id) || id === skillId
      ? []
      : [{ pointer: `/dependencies/${String(at)}/dependsOnSkillId`, detail: `There is no skill ${id}.` }],
  );
  if (faults.length > 0)
    throw new RuleBroken('skill_not_found', 'Not all of the skills that it needs exist.', faults);
  return planDependencies(sql, { visibility, skillId }, wanted);
}

function linkChanges(outcomes: readonly Outcome[], aggregateType: string): LinkChanges {
  const own = outcomes.filter(({ command, changed }) => changed && command.aggregateType === aggregateType);
  const idsOf = (some: readonly Outcome[]): string[] => some.map(({ command }) => otherEnd(command));
  return {
    added: idsOf(own.filter(({ before }) => before === null)),
    changed: idsOf(own.filter(({ before, after }) => before !== null && after !== null)),
    removed: idsOf(own.filter(({ after }) => after === null)),
  };
}

function otherEnd({ payload }: Command): string {
  const { toolId, dependsOnSkillId = toolId } = payload as Readonly<Record<string, string>>;
  return String(dependsOnSkillId);
}
