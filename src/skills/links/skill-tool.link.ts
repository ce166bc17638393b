import { ImpactLookup } from '../../endpoints/public.js';
import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded, requireScope } from '../../platform/auth/claims.js';
import { tiers } from '../../platform/auth/sensitivity-tier.js';
import { sees, type Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { idField } from '../../platform/records/fields.js';
import { link } from '../../platform/records/link.js';
import { LinkReads, linkRoutes, type LinkView } from '../../platform/records/link-routes.js';
import { handle, type Receipt, receiptOf, UseCase, type Writer } from '../../platform/use-cases/use-case.js';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';
import {
  type Moves,
  type ToolFacts,
  toolFactsOf,
  toolsWithReviewedTexts,
  VersionLinks,
  versionStatesOf,
} from '../../tools/public.js';
import { refuseUnsafe } from '../skill-safety.js';
import { movesOfLink } from './link-moves.lookup.js';
import {
  boundsOf,
  leastAccessLevel,
  loosensLink,
  newTexts,
  rangeColumns,
  rangeKept,
  refuseEmptyRange,
  skillToolFields,
  takenBy,
  type FormerLink,
  type LinkBody,
} from './skill-tool.rules.js';
import { skillToolBody, skillToolReceipt } from './skill-tool.schemas.js';
import { callableTools, callableToolsOf, workflowsOfSkill } from './skill-workflow.link.js';
import { needsOf, refuseToLeave, type Need } from './skill-workflow.rules.js';
import { linkReceipt, skillToolExample } from '../skill.examples.js';
import { requireSkill } from '../skill.lookup.js';

interface Ends {
  readonly skillId: string;
  readonly toolId: string;
}

/** Facts for the rule of a link: who writes it, and what it was before. None where the service writes it, with the config that it has. */
interface LinkFacts {
  readonly caller: Caller;
  readonly former: FormerLink | undefined;
}

/** A tool that a skill may use. */
export const skillTool = link(
  {
    name: 'SkillTool',
    table: 'skill_tool_t',
    ends: { skillId: idField, toolId: idField },
    fields: skillToolFields,
    derived: { columns: rangeColumns, of: boundsOf },
  },
  {
    put({ config }, _current, facts: LinkFacts | undefined) {
      if (facts !== undefined) refuseLessGuarded(facts.caller, loosensLink(facts.former, config));
    },
    remove({ toolId }, needs: readonly Need[]) {
      refuseToLeave(toolId, needs);
    },
    missing: ({ skillId, toolId }) => new NotFound(`link of skill ${skillId} to tool`, toolId),
  },
);

/** Links a tool to a skill, or sets level, range and config of the link that is there; a dry run says whom the range moves. */
export class PutSkillTool extends UseCase<
  Ends & LinkBody & { readonly dryRun?: boolean },
  Receipt & { readonly moves?: Moves }
> {}

/** Takes the tool from the skill, also when an agent has the skill and this is its last active tool. */
export class RemoveSkillTool extends UseCase<Ends> {}

export const skillToolHandlers = [
  handle(
    PutSkillTool,
    {
      check: ({ config }, writer) => refuseUnsafe({ config }, writer),
      prepare: (_input, _writer, impacts: ImpactLookup, links: VersionLinks) =>
        Promise.resolve({ impacts, links }),
      isDryRun: ({ dryRun = false }) => dryRun,
      async load(sql, input, writer, ports) {
        const { skillId, toolId, dryRun } = input;
        await requireSkill(sql, writer.visibility, skillId);
        const tools = await toolsInReach(sql, writer, skillId, [toolId]);
        if (dryRun !== true) return { tools };
        const moves = await movesOfLink(sql, writer.visibility, rangeChange(tools(toolId), input), ports);
        return { tools, moves };
      },
      decide: ({ tools }, input, writer) => [linking(tools, input, writer)],
      result: (outcomes, position, { moves }) => ({
        ...receiptOf(outcomes, position),
        ...(moves && { moves }),
      }),
    },
    ...([ImpactLookup, VersionLinks] as const),
  ),
  handle(RemoveSkillTool, {
    async load(sql, { skillId, toolId }, writer) {
      await requireSkill(sql, writer.visibility, skillId);
      (await toolsInReach(sql, writer, skillId, [toolId]))(toolId);
      return planUnlinks(sql, { hostId: writer.visibility.hostId, skillId }, [toolId]);
    },
    decide: (commands) => commands,
  }),
];

/** The caller who links, and what they see. */
type Linker = Pick<Writer, 'caller' | 'visibility'>;

interface LinkedTool extends Pick<LinkFacts, 'former'> {
  readonly tool: ToolFacts;
  /** Whether what agents read of it is reviewed. */
  readonly isReviewed: boolean;
  /** Newest first. */
  readonly versions: readonly { readonly version: string; readonly state: string }[];
}

/** Loads tools; the function returned throws NotFound for one that does not exist or that the token does not reach. */
async function toolsInReach(
  sql: Sql,
  { visibility }: Linker,
  skillId: string,
  toolIds: readonly string[],
): Promise<(toolId: string) => LinkedTool> {
  const { hostId } = visibility;
  const tools = await toolFactsOf(sql, hostId, toolIds);
  const former = await formerLinks(sql, hostId, skillId, toolIds);
  const versions = await versionStatesOf(sql, hostId, toolIds);
  const reviewed = await toolsWithReviewedTexts(sql, hostId, toolIds);
  return (toolId) => {
    const tool = tools.get(toolId);
    const isSeen = tool && sees(visibility, tool, (within) => within.toolIds.includes(toolId));
    if (!isSeen) throw new NotFound('tool', toolId);
    const isReviewed = reviewed.has(toolId);
    return { tool, isReviewed, former: former.get(toolId), versions: versions.get(toolId) ?? [] };
  };
}

/** Loads the links that the skill has or had to these tools, by tool. */
async function formerLinks(
  sql: Sql,
  hostId: string,
  skillId: string,
  toolIds: readonly string[],
): Promise<ReadonlyMap<string, FormerLink>> {
  const rows = await sql.query<FormerLink & { readonly toolId: string }>(
    `SELECT tool_id AS "toolId", active, config ->> 'approvalWorkflow' AS "approvalWorkflow",
            config ->> 'maxSensitivityTier' AS "maxSensitivityTier", config ->> 'description' AS description,
            config -> 'examples' AS examples, config ->> 'notes' AS notes, range
     FROM skill_tool_t WHERE host_id = $1 AND skill_id = $2 AND tool_id = ANY($3::uuid[])`,
    [hostId, skillId, toolIds],
  );
  return new Map(rows.map((row) => [row.toolId, row]));
}

/** What a link took before, and what it takes as it is asked for. */
function rangeChange(
  { tool, former, versions }: LinkedTool,
  { skillId, toolId, range: asked }: Ends & LinkBody,
) {
  const present = former?.active === true ? former.range : undefined;
  const live = versions.filter(({ state }) => state === 'approved' || state === 'deprecated');
  const numbers = live.map(({ version }) => version);
  const range = rangeKept(asked, present, tool.version);
  const from = present === undefined ? null : takenBy(present, numbers);
  return { skillId, toolId, range, from, to: takenBy(range, numbers) };
}

function linking(
  tools: (toolId: string) => LinkedTool,
  { skillId, toolId, config, accessLevel, range }: Ends & LinkBody,
  { caller, visibility }: Linker,
) {
  const { tool, isReviewed, former, versions } = tools(toolId);
  const texts = newTexts(former, config);
  // Agents are given the notes as well, beside the texts of the tool.
  const known = former?.active === true ? former.notes : undefined;
  refuseLessGuarded(
    caller,
    newlyAddressesModel(undefined, texts) || newlyAddressesModel(known, config.notes),
  );
  if (isReviewed && texts.length > 0) requireScope(caller, 'catalog:approve');
  const level = accessLevel ?? leastAccessLevel(tool.safety);
  const present = former?.active === true ? former.range : undefined;
  const kept = rangeKept(range, present, tool.version);
  if (range !== undefined && kept !== null && kept !== present) refuseEmptyRange(tool.name, kept, versions);
  const values = { skillId, toolId, accessLevel: level, range: kept, config };
  return skillTool.put(visibility.hostId, values, { caller, former });
}

/** Plans several links of a skill that exists, or is created by the same write. Throws NotFound for a tool out of reach. */
export async function planLinks(
  sql: Sql,
  linker: Linker,
  skillId: string,
  links: readonly (LinkBody & { readonly toolId: string })[],
) {
  const ids = links.map(({ toolId }) => toolId);
  const tools = await toolsInReach(sql, linker, skillId, ids);
  return links.map((wanted) => linking(tools, { ...wanted, skillId }, linker));
}

/**
 * Plans to take several tools away; the caller has checked that they are in reach. Refused where a workflow of the skill
 * needs one of them, unless that workflow is among `leaving`, which the same write takes away, or calls a tool by a name that
 * one of `arriving` has, too, which the same write links.
 */
export async function planUnlinks(
  sql: Sql,
  { hostId, skillId }: { readonly hostId: string; readonly skillId: string },
  toolIds: readonly string[],
  {
    leaving,
    arriving = [],
  }: { readonly leaving?: readonly string[]; readonly arriving?: readonly string[] } = {},
) {
  const workflows = toolIds.length === 0 ? [] : await workflowsOfSkill(sql, hostId, skillId, leaving);
  const all = workflows.length === 0 ? undefined : await callableToolsOf(sql, hostId, [skillId]);
  const tools = all?.get(skillId) ?? [];
  const added = tools.length === 0 ? [] : await callableTools(sql, hostId, arriving);
  const staying = [...tools.filter((tool) => !toolIds.includes(tool.toolId)), ...added];
  return toolIds.map((toolId) => {
    const leaver = tools.find((tool) => tool.toolId === toolId);
    const needs = leaver === undefined ? [] : needsOf(leaver, staying, workflows);
    return skillTool.remove(hostId, { skillId, toolId }, needs);
  });
}

/** Shows a link to who sees its tool, and to an agent's token where the agent is given the tool with this skill. */
const view: LinkView = {
  join: 'JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id',
  select: 't.name AS tool_name, t.active AS tool_active, t.service_id, t.env_tag, t.sensitivity_tier',
  shows: {
    toolName: { type: 'string' },
    toolActive: { type: 'boolean', description: 'False: the tool is linked, and no agent is given it.' },
    sensitivityTier: { type: 'string', enum: tiers, description: 'Of the tool.' },
  },
  orderBy: 'toolName',
  requireParent: requireSkill,
  visible: (visibility: Visibility, skillId) =>
    visibleRows(visibility, {
      limits: ['services', 'environments', 'tiers'],
      confined: ['tool_id', ({ links }) => links.get(skillId)?.toolIds ?? []],
    }),
};

export const skillToolReads = new LinkReads(skillTool, view);

export const skillToolRoutes = linkRoutes(skillToolReads, {
  path: 'skills/:skillId/tools',
  operations: { one: 'SkillTool', many: 'SkillTools' },
  list: {
    summary: 'List the tools of a skill',
    description: 'Ordered by the name of the tool; those that the token does not cover are left out.',
  },
  get: {
    summary: 'Get a tool of a skill',
    description: '404 where there is no link, or where it was taken away.',
  },
  put: {
    useCase: PutSkillTool,
    summary: 'Link a tool to a skill',
    description:
      'Writes the whole link: 201 where it is new. What is left out takes its default. Setting an approval workflow, ' +
      'and raising or clearing `maxSensitivityTier`, also need catalog:admin, as do texts that address the model; other texts in place of ' +
      'those of a tool whose texts are reviewed need catalog:approve. `range_takes_nothing` where no version is in the range. ' +
      '`dryRun` says in `moves` whom the range gives another version, and writes nothing.',
    body: skillToolBody,
    answer: skillToolReceipt,
  },
  delete: {
    useCase: RemoveSkillTool,
    summary: 'Take a tool from a skill',
    description:
      'Also the last active one: assignments of the skill stay, and no agent is given it. Refused with ' +
      '`workflow_tool_not_linked` where a workflow of the skill calls it.',
  },
  example: {
    body: { accessLevel: 'read', config: skillToolExample.config },
    answer: skillToolExample,
    receipt: linkReceipt,
  },
});
