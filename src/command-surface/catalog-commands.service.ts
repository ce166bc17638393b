import { Inject, Injectable } from '@nestjs/common';
import type { ExplanationQuery } from '../effective-catalog/shared.js';
import {
  type CatalogOptions,
  type CatalogSkill,
  DisclosureExplanations,
  EffectiveCatalogs,
} from '../effective-catalog/public.js';
import { Invalid, NotFound } from '../kernel/errors.js';
import { isNarrowed, type Visibility, visibilityOf } from '../platform/auth/visibility.js';
import {
  type AgentCommand,
  agentOf,
  type CommandContext,
  type CommandInterceptor,
  type CommandResult,
  type Interception,
  type Parameters,
  requiredAgentOf,
  type Run,
} from './agent-command.js';
import { PutAgentSkill } from '../agents/public.js';
import { CreateSkill, PutSkillTool } from '../skills/public.js';
import { CommandWrites } from './command-writes.service.js';
import { type CatalogCommandName, catalogSpecs } from './catalog-commands.js';
import { CatalogSearch } from '../search/public.js';
import { catalogText, toolText } from './tool-text.js';
import type { SearchBody } from '../search/shared.js';
import { LiveDiagnostics } from '../diagnostics/public.js';
import { cutReferences } from '../endpoints/shared.js';
import { referencesSeen } from '../endpoints/public.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import { visibleRows, type Conditions } from '../platform/database/conditions.js';

/** An id or a name. */
interface RecordKey {
  readonly id?: string;
  readonly name?: string;
}

interface ToolRecord {
  readonly apiVersionId: string | null;
  readonly metadata: { readonly routing: object; readonly safety: object };
}

/** Reads one active skill or offered tool, for callers without an agent scope. */
@Injectable()
export class RecordLookup {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws NotFound. */
  async tool(visibility: Visibility, key: RecordKey): Promise<object> {
    const where = activeTools(visibility).add(`t.${columnOf(key, 'tool_id')} = ?`, valueOf(key));
    const sql = this.database.of(visibility.hostId);
    const [tool] = await sql.query<ToolRecord>(
      `SELECT t.tool_id AS "toolId", t.endpoint_id AS "endpointId", t.name, t.description, t.version,
         t.implementation_type AS "implementationType", t.source_protocol AS "sourceProtocol",
         t.lifecycle_status AS "lifecycleStatus", t.input_schema AS "inputSchema",
         t.response_schema AS "outputSchema", t.params, t.tool_metadata AS metadata, t.example_prompts AS "examplePrompts",
         e.api_version_id AS "apiVersionId"
       FROM tool_read t ${offered} ${where.sql()} ORDER BY t.version DESC, t.tool_id LIMIT 1`,
      where.values,
    );
    if (tool === undefined) throw new NotFound('tool', valueOf(key));
    const { metadata, apiVersionId, ...facts } = tool;
    const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata]);
    const { routing, safety } = isNarrowed(visibility) ? cutReferences(metadata, isSeen) : metadata;
    const known = Object.entries(facts).filter(([, value]) => value !== null);
    return { ...Object.fromEntries(known), routingMetadata: routing, safety };
  }

  /** Throws NotFound. Its tools are those that the caller may see. */
  async skill(visibility: Visibility, key: RecordKey): Promise<object> {
    const [skill] = await this.database.of(visibility.hostId).query<{ readonly skillId: string }>(
      `SELECT skill_id AS "skillId", name, COALESCE(description, '') AS description, content_markdown AS "contentMarkdown", version
       FROM skill_read WHERE host_id = $1 AND active AND ${columnOf(key, 'skill_id')} = $2`,
      [visibility.hostId, valueOf(key)],
    );
    if (skill === undefined) throw new NotFound('skill', valueOf(key));
    const where = activeTools(visibility).add('l.active').add('l.skill_id = ?', skill.skillId);
    const tools = await this.database.of(visibility.hostId).query<object>(
      `SELECT t.tool_id AS "toolId", t.name, coalesce(k.content ->> 'description', t.description) AS description,
         l.access_level AS "accessLevel", t.tool_metadata -> 'safety' AS safety
       FROM skill_tool_read l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
       JOIN skill_tool_version_read k ON k.host_id = l.host_id AND k.skill_id = l.skill_id AND k.tool_id = l.tool_id
       ${offered} ${where.sql()}
       ORDER BY t.name COLLATE "C", t.tool_id`,
      where.values,
    );
    return { ...skill, tools };
  }
}

/** Joins the endpoint of a tool `t`, which decides whether it is offered. */
const offered = 'LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id';

function activeTools(visibility: Visibility): Conditions {
  const limits = ['services', 'environments', 'tiers'] as const;
  const where = visibleRows(visibility, { alias: 't', limits }).add('t.active');
  return where.add('coalesce(e.active, t.endpoint_id IS NULL)');
}

function columnOf({ id }: RecordKey, idColumn: string): string {
  return id === undefined ? 'name' : idColumn;
}

function valueOf({ id, name }: RecordKey): string {
  return id ?? name ?? '';
}

/** Runs the commands on agents' catalogs, and those that write skills. */
@Injectable()
export class CatalogCommands {
  readonly commands: readonly AgentCommand[];

  constructor(
    private readonly catalogs: EffectiveCatalogs,
    private readonly records: RecordLookup,
    private readonly found: CatalogSearch,
    private readonly explanations: DisclosureExplanations,
    writes: CommandWrites,
  ) {
    const runs: Readonly<Record<CatalogCommandName, Run | undefined>> = {
      get_effective_catalog: (parameters, context) => this.catalog(parameters, context),
      search_tools: (parameters, context) => this.search('tool', parameters, context),
      search_skills: (parameters, context) => this.search('skill', parameters, context),
      get_skill: (parameters, context) => this.skill(parameters, context),
      get_tool: (parameters, context) => this.tool(parameters, context),
      draft_skill: writes.by('draft_skill', CreateSkill),
      link_tool: writes.by('link_tool', PutSkillTool),
      assign_skill: writes.by('assign_skill', PutAgentSkill, (given, { context }) => ({
        ...given,
        ...(context.expectedVersion === undefined && { keepsTerms: true }),
      })),
      explain_disclosure: (parameters, context) => this.explanation(parameters, context),
      diagnose_agent: undefined,
    };
    this.commands = catalogSpecs.map((spec) => {
      const run = runs[spec.name];
      return run === undefined ? spec : { ...spec, run };
    });
  }

  private async catalog(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    const { serviceId, envTag, context: names, examples } = parameters as Readonly<Record<string, string>>;
    const agentDefId = requiredAgentOf(parameters, context);
    const options = { serviceId, envTag, context: names, examples: Boolean(examples) };
    const { content, version, etag } = await this.given(context, agentDefId, options);
    const value = { ...content, catalogVersion: version, etag };
    return { value, text: catalogText(value) };
  }

  private given({ caller, correlationId }: CommandContext, agentDefId: string, options: CatalogOptions = {}) {
    return this.catalogs.given(caller, agentDefId, { ...options, requestId: correlationId });
  }

  private async explanation(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    const agentDefId = requiredAgentOf(parameters, context);
    const query = parameters as unknown as ExplanationQuery;
    return { value: await this.explanations.explain(context.caller, agentDefId, query) };
  }

  private async search(
    kind: SearchBody['kinds'][number],
    parameters: Parameters,
    context: CommandContext,
  ): Promise<CommandResult> {
    const { format: _format, ...question } = parameters as Partial<SearchBody> & {
      readonly format?: unknown;
    };
    const agentDefId = agentOf(parameters, context);
    const asked = {
      ...{ prompt: '', limit: 10, explain: false },
      ...question,
      kinds: [kind],
      ...(agentDefId !== undefined && { agentDefId }),
    };
    return { value: await this.found.search(context.caller, asked) };
  }

  private async skill(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    const wanted = keyOf(parameters, 'skillId');
    const agentDefId = agentOf(parameters, context);
    if (agentDefId === undefined)
      return { value: await this.records.skill(visibilityOf(context.caller), wanted) };
    const { content } = await this.given(context, agentDefId);
    const skill = content.skills.find(({ skillId, name }) => skillId === wanted.id || name === wanted.name);
    if (skill === undefined) throw new NotFound('skill', wanted.id ?? wanted.name ?? '');
    return { value: { ...skill, tools: skill.tools.map(briefly) } };
  }

  private async tool(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    const wanted = keyOf(parameters, 'toolId');
    const agentDefId = agentOf(parameters, context);
    if (agentDefId === undefined)
      return toolResult(await this.records.tool(visibilityOf(context.caller), wanted));
    const { content } = await this.given(context, agentDefId);
    const tools = content.skills.flatMap((skill) => skill.tools);
    const tool = tools.find(({ toolId, name }) => toolId === wanted.id || name === wanted.name);
    if (tool === undefined) throw new NotFound('tool', wanted.id ?? wanted.name ?? '');
    return toolResult(tool);
  }
}

function toolResult(value: object): CommandResult {
  return { value, text: toolText(value) };
}

function keyOf(parameters: Parameters, idName: string): RecordKey {
  const { [idName]: id, name } = parameters as Readonly<Record<string, string | undefined>>;
  if ((id === undefined) === (name === undefined)) {
    throw new Invalid('invalid_parameters', `Name either ${idName} or name.`, [
      { pointer: `/${idName}`, detail: 'or name must be given, and not both' },
    ]);
  }
  return { ...(id !== undefined && { id }), ...(name !== undefined && { name }) };
}

/** Shortens a tool of a skill; get_tool gives the rest. */
function briefly({ toolId, name, description, accessLevel, safety }: CatalogSkill['tools'][number]): object {
  return { toolId, name, description, accessLevel, safety };
}

/** Carries out `diagnose_agent`, which asks live gateways. */
@Injectable()
export class DiagnoseAgentInterceptor implements CommandInterceptor {
  constructor(private readonly diagnostics: LiveDiagnostics) {}

  async intercept(
    command: AgentCommand,
    parameters: Parameters,
    context: CommandContext,
  ): Promise<Interception> {
    if (command.name !== 'diagnose_agent') return { handled: false };
    const { caller } = context;
    const agentDefId = requiredAgentOf(parameters, context);
    const value = await this.diagnostics.agent(caller, visibilityOf(caller), agentDefId);
    return { handled: true, result: { value } };
  }
}
