import { Injectable } from '@nestjs/common';
import type { ExplanationQuery } from '../effective-catalog/effective-catalog.schemas.js';
import { DisclosureExplanations } from '../effective-catalog/explanation.lookup.js';
import {
  EffectiveCatalogs,
  type CatalogOptions,
  type DisclosedCatalog,
} from '../effective-catalog/effective-catalogs.lookup.js';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import {
  agentOf,
  requiredAgentOf,
  type AgentCommand,
  type CommandContext,
  type CommandResult,
  type Parameters,
  type Run,
} from './agent-command.js';
import { AuthoringCommands } from './authoring-commands.service.js';
import { catalogSpecs, type CatalogCommandName } from './catalog-commands.js';
import { RecordLookup, type RecordKey } from './record-lookup.service.js';
import { CatalogSearch } from '../search/catalog-search.lookup.js';
import { catalogText, toolText } from './tool-text.js';
import type { SearchBody } from '../search/search.schemas.js';

type Skill = DisclosedCatalog['content']['skills'][number];

/** Agents' catalogs, whole and in parts, and the writing of skills. */
@Injectable()
export class CatalogCommands {
  readonly commands: readonly AgentCommand[];

  constructor(
    private readonly catalogs: EffectiveCatalogs,
    private readonly records: RecordLookup,
    private readonly found: CatalogSearch,
    private readonly explanations: DisclosureExplanations,
    authoring: AuthoringCommands,
  ) {
    const runs: Readonly<Record<CatalogCommandName, Run | undefined>> = {
      get_effective_catalog: (parameters, context) => this.catalog(parameters, context),
      search_tools: (parameters, context) => this.search('tool', parameters, context),
      search_skills: (parameters, context) => this.search('skill', parameters, context),
      get_skill: (parameters, context) => this.skill(parameters, context),
      get_tool: (parameters, context) => this.tool(parameters, context),
      draft_skill: (parameters, context) => authoring.draft(parameters, context),
      link_tool: (parameters, context) => authoring.link(parameters, context),
      assign_skill: (parameters, context) => authoring.assign(parameters, context),
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

/** What a skill says of a tool; get_tool tells the rest. */
function briefly({ toolId, name, description, accessLevel, safety }: Skill['tools'][number]): object {
  return { toolId, name, description, accessLevel, safety };
}
