/** Joins an agent’s rows to the tools that its skills offer it, in the order of the catalog, with the workflows that approve their calls. Pure. */
import { byCodePoint } from '../../documents/json.js';
import { lowestTier, type Tier, tierOf } from '../../platform/auth/sensitivity-tier.js';
import type {
  AgentRow,
  AssignmentRow,
  CatalogRows,
  EndpointRow,
  KeptVersionRow,
  LinkRow,
  SkillRow,
  ToolRow,
} from '../rows.js';
import { textIn, type LooseJson } from '../loose-json.js';

/** One tool, as one skill offers it to one agent. */
export interface Offer extends AssignedSkill {
  readonly link: LinkRow;
  readonly tool: ToolRow;
  /** Absent for a script. */
  readonly endpoint?: EndpointRow | undefined;
  /** By id those that its written operation calls; undefined of one that is not there. */
  readonly called?: ReadonlyMap<string, EndpointRow | undefined>;
  /** Whether a gateway of the agent exposes the tool; undefined where no gateway stands between them. */
  readonly exposed?: boolean | undefined;
  /** The earlier tool of the same name that the agent is given. */
  readonly namesake?: ToolRow | undefined;
}

export interface AssignedSkill {
  readonly agent: AgentRow;
  readonly assignment: AssignmentRow;
  readonly skill: SkillRow;
  /** Ids of skills that it requires and that are inactive or not assigned. */
  readonly missingSkills: readonly string[];
}

export interface OfferedSkill extends AssignedSkill {
  /** By tool name, then id. */
  readonly offers: readonly Offer[];
}

/** The assigned skills by sequence, then priority descending, then name, then id. */
export function offersOf(rows: CatalogRows): readonly OfferedSkill[] {
  const { agent } = rows;
  const skills = new Map(rows.skills.map((skill) => [skill.skill_id, skill]));
  const tools = new Map(rows.tools.map((tool) => [tool.tool_id, tool]));
  const endpoints = new Map(rows.endpoints.map((endpoint) => [endpoint.endpoint_id, endpoint]));
  const exposures = new Set(rows.exposures.map(({ tool_id }) => tool_id));
  const kept = new Map(rows.keptVersions.map((row) => [`${row.skill_id} ${row.tool_id}`, row]));
  const links = groupedBy(rows.links, ({ skill_id }) => skill_id);
  const dependencies = groupedBy(rows.dependencies, ({ skill_id }) => skill_id);

  const assignedSkill = (assignment: AssignmentRow): AssignedSkill[] => {
    const skill = skills.get(assignment.skill_id);
    if (skill === undefined) return [];
    const missingSkills = (dependencies.get(skill.skill_id) ?? [])
      .filter(({ required, depends_on_skill_id: id }) => required && skills.get(id)?.active !== true)
      .map(({ depends_on_skill_id }) => depends_on_skill_id)
      .sort(byCodePoint);
    return [{ agent, assignment, skill, missingSkills }];
  };
  const offered = (assigned: AssignedSkill, link: LinkRow): Offer[] => {
    const known = tools.get(link.tool_id);
    if (known === undefined) return [];
    const tool = atVersion(known, kept.get(`${link.skill_id} ${link.tool_id}`));
    const endpoint = endpoints.get(tool.endpoint_id ?? '');
    const exposed = agent.gated ? exposures.has(tool.tool_id) : undefined;
    const called = new Map(tool.call_endpoints.map((id) => [id, endpoints.get(id)]));
    return [{ ...assigned, link, tool, endpoint, called, exposed }];
  };

  return rows.assignments
    .flatMap(assignedSkill)
    .sort(bySequence)
    .map((assigned) => ({
      ...assigned,
      offers: (links.get(assigned.skill.skill_id) ?? [])
        .flatMap((link) => offered(assigned, link))
        .sort((a, b) => byNameThenId(a.tool, b.tool)),
    }));
}

/** The tool as it was at the version to which a link keeps; with its guards of now. */
function atVersion(tool: ToolRow, kept: KeptVersionRow | undefined): ToolRow {
  if (kept === undefined) return tool;
  const { version, content, deprecation, call_fault } = kept;
  if (version === null || content === null) return { ...tool, approved: false };
  const { routing, outputSchema = null } = content;
  return {
    ...tool,
    ...{ version, deprecation, approved: true, description: content.description },
    ...{ input_schema: content.inputSchema, response_schema: outputSchema, params: content.params },
    ...{ source_protocol: content.sourceProtocol, capability_ref: content.capabilityRef },
    ...{ call_endpoints: content.call?.endpointIds ?? [], call_fault },
    tool_metadata: { ...tool.tool_metadata, routing },
  };
}

function bySequence(a: AssignedSkill, b: AssignedSkill): number {
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

/** The items by key, in the order in which they came. */
export function groupedBy<Key, Item>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Published, active workflow definitions of the host: each by its `wfDefId` and by `namespace/name`. */
type Approvals = ReadonlySet<string>;

/** Whether the link or the tool names a published approval workflow: a name alone approves nothing. */
export function isApproved({ link, tool }: Offer, { approvals }: { readonly approvals: Approvals }): boolean {
  const named = textIn(link.config, 'approvalWorkflow');
  return (named !== undefined && approvals.has(named)) || approvalOf(tool, approvals) !== undefined;
}

/** The tool's own approval workflow, where it is one that approves. */
export function approvalOf({ tool_metadata: { safety } }: ToolRow, approvals: Approvals): string | undefined {
  const named = safety?.approvalWorkflow;
  return named !== undefined && approvals.has(named) ? named : undefined;
}

/** The highest tier that this offer may have: the lowest of the agent's, the assignment's, the link's, the token's. */
export function tierLimitOf(
  { agent, assignment, link }: Offer,
  { tokenTier }: { readonly tokenTier?: Tier | undefined },
): Tier {
  const agentTier = tierOf(agent.max_sensitivity_tier);
  return lowestTier(agentTier, limitOf(assignment.config), limitOf(link.config), tokenTier);
}

/** The limit that a link's or an assignment's config sets, if it sets one. */
export function limitOf(config: LooseJson): Tier | undefined {
  return config['maxSensitivityTier'] == null ? undefined : tierOf(textIn(config, 'maxSensitivityTier'));
}
