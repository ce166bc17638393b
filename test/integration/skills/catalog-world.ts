import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import {
  agentSkillBatchHandlers,
  AssignSkills,
  ReplaceSkills,
  type SkillSelection,
} from '../../../src/agents/agent-skill.batch.js';
import { agentSkillHandlers } from '../../../src/agents/agent-skill.link.js';
import { agentHandlers, PutAgent } from '../../../src/agents/agent.record.js';
import { ImpactQuery } from '../../../src/agents/impact.queries.js';
import { agentSlice } from '../../../src/agents/agent.slice.js';
import { apiVersion } from '../../../src/endpoints/api-version/api-version.record.js';
import { api } from '../../../src/endpoints/api/api.record.js';
import { endpointSlice } from '../../../src/endpoints/endpoint.slice.js';
import { CommandEngine } from '../../../src/kernel/command-engine.js';
import type { UnitOfWork } from '../../../src/kernel/unit-of-work.js';
import { Domain } from '../../../src/kernel/domain.js';
import type { CommitListener } from '../../../src/kernel/heads.js';
import type { Database } from '../../../src/kernel/sql.js';
import type { Caller } from '../../../src/platform/auth/caller.js';
import { visibilityOf, type Visibility } from '../../../src/platform/auth/visibility.js';
import type { UseCase, Writer } from '../../../src/platform/use-cases/use-case.js';
import { skillDependencyHandlers } from '../../../src/skills/links/skill-dependency.link.js';
import {
  PutSkillTool,
  RemoveSkillTool,
  skillToolHandlers,
} from '../../../src/skills/links/skill-tool.link.js';
import type { LinkBody } from '../../../src/skills/links/skill-tool.rules.js';
import { skillWorkflowHandlers } from '../../../src/skills/links/skill-workflow.link.js';
import {
  ActivateSkill,
  CreateSkill,
  DeactivateSkill,
  skill,
  skillHandlers,
  UpdateSkill,
} from '../../../src/skills/skill.record.js';
import {
  saveSkillHandler,
  SaveSkill,
  type SavedSkill,
  type WholeSkill,
} from '../../../src/skills/save/skill-save.planner.js';
import { skillSlice } from '../../../src/skills/skill.slice.js';
import { workflowHandlers } from '../../../src/workflows/workflow.record.js';
import { workflowSlice } from '../../../src/workflows/workflow.slice.js';
import { categoryHandlers } from '../../../src/taxonomy/category.record.js';
import { tagHandlers } from '../../../src/taxonomy/tag.record.js';
import { taxonomySlice } from '../../../src/taxonomy/taxonomy.slice.js';
import { CreateTool, DeactivateTool, toolHandlers } from '../../../src/tools/tool/tool-writes.planner.js';
import { toolSlice } from '../../../src/tools/tool.slice.js';
import { carryOut, execute } from '../execute.js';

export const slices = [taxonomySlice, endpointSlice, toolSlice, workflowSlice, skillSlice, agentSlice];

const handlers = [
  ...agentHandlers,
  ...skillHandlers,
  saveSkillHandler,
  ...toolHandlers,
  ...workflowHandlers,
  ...categoryHandlers,
  ...tagHandlers,
  ...skillToolHandlers,
  ...skillWorkflowHandlers,
  ...skillDependencyHandlers,
  ...agentSkillHandlers,
  ...agentSkillBatchHandlers,
];

export interface Receipt {
  readonly id: string;
  readonly version: number;
  readonly position: number;
  readonly changed: boolean;
}

type Plan = UnitOfWork<unknown>['commands'];

/** A profile that says nothing. */
export const emptyProfile = {
  modelProvider: null,
  modelName: null,
  temperature: null,
  maxTokens: null,
  personas: [],
  maxSensitivityTier: 'internal' as const,
  gatewayIds: [],
  domains: [],
  semanticNamespaces: [],
};

/** One host with the slices up to the agents, written to on the road that requests take below HTTP. */
export class CatalogWorld {
  readonly domain = new Domain(slices);
  readonly engine: CommandEngine;
  readonly caller: Caller;
  readonly visibility: Visibility;

  constructor(
    readonly database: Database,
    readonly hostId: string = randomUUID(),
    listener: CommitListener = { committed: () => undefined },
  ) {
    this.engine = new CommandEngine(database, this.domain, listener);
    this.caller = {
      actor: { user: 'olga' },
      issuer: 'test',
      hostId: this.hostId,
      services: ['accounts'],
      environments: ['dev'],
      scopes: new Set(['catalog:write', 'catalog:admin']),
      expiresAt: 0,
      fingerprint: '',
    };
    this.visibility = visibilityOf(this.caller);
  }

  async write(plan: Plan, terms: { readonly expectedVersion?: number } = {}): Promise<Receipt> {
    const [receipt] = await carryOut(this.engine, { ...this.writer.context, ...terms }, plan);
    if (receipt === undefined) throw new Error('The write has no command.');
    return receipt;
  }

  writeAll(plan: Plan): Promise<readonly Receipt[]> {
    return carryOut(this.engine, this.writer.context, plan);
  }

  /** Carries out a use case as a request does. */
  execute<Result extends object>(useCase: UseCase<unknown, Result>): Promise<Result> {
    return execute(this, handlers, useCase, new ImpactQuery());
  }

  /** Who writes by a use case. */
  get writer(): Writer {
    const context = { hostId: this.hostId, actor: this.caller.actor, correlationId: randomUUID() };
    return { context, ...this.who };
  }

  createSkill(name: string, more: Partial<CreateSkill['input']> = {}): Promise<Receipt> {
    const fields = { description: '', contentMarkdown: 'Do.', version: '1.0.0', parentSkillId: null };
    return this.execute(new CreateSkill(this.writer, { ...fields, ...more, name }));
  }

  /** A creation that has not looked whether the name is free. */
  blindCreation(name: string, contentMarkdown = 'Do.') {
    const fields = { name, description: '', contentMarkdown, version: '1.0.0', parentSkillId: null };
    return [skill.create(this.hostId, v7(), fields, { heldBy: null, lineage: [] })];
  }

  updateSkill(
    skillId: string,
    changes: Omit<UpdateSkill['input'], 'skillId'>,
    expectedVersion?: number,
  ): Promise<Receipt> {
    const { context, ...who } = this.writer;
    const terms = expectedVersion === undefined ? {} : { expectedVersion };
    return this.execute(
      new UpdateSkill({ ...who, context: { ...context, ...terms } }, { skillId, ...changes }),
    );
  }

  saveSkill(whole: Partial<WholeSkill>, expectedVersion?: number): Promise<SavedSkill> {
    const { context, ...who } = this.writer;
    const terms = expectedVersion === undefined ? {} : { expectedVersion };
    const writer = { ...who, context: { ...context, ...terms } };
    return this.execute(new SaveSkill(writer, { dryRun: false, ...whole }));
  }

  deactivateSkill(skillId: string): Promise<Receipt> {
    return this.execute(new DeactivateSkill(this.writer, { skillId }));
  }

  activateSkill(skillId: string): Promise<Receipt> {
    return this.execute(new ActivateSkill(this.writer, { skillId }));
  }

  createTool(name: string, safety: { readOnly?: boolean; destructive?: boolean } = {}): Promise<Receipt> {
    const tool = {
      name,
      description: name,
      implementationType: 'python' as const,
      inputSchema: { type: 'object' },
    };
    return this.execute(new CreateTool(this.writer, { ...tool, safety }));
  }

  deactivateTool(toolId: string): Promise<Receipt> {
    return this.execute(new DeactivateTool(this.writer, { toolId }));
  }

  link(skillId: string, toolId: string, body: LinkBody = { config: {} }): Promise<Receipt> {
    return this.execute(new PutSkillTool(this.writer, { skillId, toolId, ...body }));
  }

  unlink(skillId: string, toolId: string): Promise<Receipt> {
    return this.execute(new RemoveSkillTool(this.writer, { skillId, toolId }));
  }

  /** An agent with an empty profile. */
  async createAgent(name: string, serviceId = 'accounts', envTag = 'dev'): Promise<string> {
    const version = {
      apiId: name,
      apiVersion: '1.0.0',
      apiType: 'agent' as const,
      serviceId,
      envTag,
      quarantine: false,
    };
    const agentDefId = v7();
    await this.write(() => [
      api.create(this.hostId, name, { apiName: name }),
      apiVersion.create(this.hostId, agentDefId, version),
    ]);
    const caller = { ...this.caller, services: 'all' as const, environments: [envTag] };
    await this.execute(new PutAgent({ ...this.writer, caller }, { agentDefId, ...emptyProfile }));
    return agentDefId;
  }

  async assign(agentDefId: string, ...skillIds: string[]): Promise<readonly Receipt[]> {
    const selection = { agentDefId, skills: termsOf(skillIds) };
    return (await this.execute(new AssignSkills(this.writer, selection))).items;
  }

  async replace(agentDefId: string, ...skillIds: string[]): Promise<readonly Receipt[]> {
    const selection = { agentDefId, skills: termsOf(skillIds) };
    return (await this.execute(new ReplaceSkills(this.writer, selection))).items;
  }

  /** A skill that may be assigned, with its one tool. */
  async skillWithTool(name: string): Promise<{ readonly skillId: string; readonly toolId: string }> {
    const { id: skillId } = await this.createSkill(name);
    const { id: toolId } = await this.createTool(name.replaceAll(' ', '_'));
    await this.link(skillId, toolId);
    return { skillId, toolId };
  }

  /** Events of the host's log, oldest first. */
  log(
    ...types: string[]
  ): Promise<{ position: number; event_type: string; aggregate_id: string; data: string }[]> {
    return this.database.asOwner.query(
      `SELECT position, event_type, aggregate_id, data FROM event_store_t
       WHERE host_id = $1 AND ($2::text[] = '{}' OR event_type = ANY($2::text[])) ORDER BY position`,
      [this.hostId, types],
    );
  }

  private get who() {
    return { caller: this.caller, visibility: this.visibility };
  }
}

function termsOf(skillIds: readonly string[]): SkillSelection['skills'] {
  return skillIds.map((skillId, sequenceId) => ({ skillId, config: {}, priority: 0, sequenceId }));
}

/** What became of writes that ran at once: how many succeeded, and the codes of the others. */
export async function outcomesOf(writes: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(writes)) {
    const reason: unknown = result.status === 'fulfilled' ? { code: 'done' } : result.reason;
    const code = String(Reflect.get(Object(reason), 'code') ?? reason);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}
