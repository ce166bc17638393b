import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PutAgent, PutAgentSkill } from '../agents/public.js';
import { api, apiVersion, findApiVersion } from '../endpoints/public.js';
import { CommandEngine } from '../kernel/command-engine.js';
import type { Command, WriteContext } from '../kernel/command.js';
import { packageRoot } from '../kernel/migrations.js';
import { DATABASE, type Database, type Sql } from '../kernel/sql.js';
import { ImportApi } from '../importers/public.js';
import { scopes, type Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { CreateSkill, PutSkillTool, PutSkillWorkflow } from '../skills/public.js';
import { CreateCategory, CreateTag, termIdsByName } from '../taxonomy/public.js';
import { UpdateTool } from '../tools/public.js';
import { CreateWorkflow, PublishWorkflow } from '../workflows/public.js';
import {
  accountApi,
  agentApi,
  agentProfile,
  billWorkflow,
  skillTaxonomy,
  skillFields,
  toolFields,
} from './account-agent.js';
import { sample } from './sample-ids.js';

const { hostId, agentDefId, agentServiceId, apiServiceId, envTag } = sample;
const loader = 'sample-data';

const caller: Caller = {
  actor: { user: loader },
  issuer: 'urn:portal-catalog:sample',
  hostId,
  services: 'all',
  environments: [envTag],
  scopes: new Set(scopes),
  expiresAt: Number.POSITIVE_INFINITY,
  fingerprint: loader,
};
const context: WriteContext = { hostId, actor: caller.actor, correlationId: loader };
const visibility = visibilityOf(caller);
const writer = { context, caller, visibility };

/**
 * Fills an empty catalog with an account service, a skill, and an agent, by the same use cases as requests. An
 * interrupted load is finished at the next start; a catalog that somebody else has written to is left alone. Returns
 * whether anything was loaded.
 */
export async function loadSampleData(app: INestApplicationContext): Promise<boolean> {
  const database = app.get<Database>(DATABASE, { strict: false });
  if (!(await isToBeLoaded(database))) return false;
  const commandBus = app.get(CommandBus, { strict: false });
  const sql = database.of(hostId);

  await commandBus.execute(new ImportApi(writer, await accountService()));
  await writeToolFields(sql, commandBus);
  await makeVocabulary(sql, commandBus);
  await writeSkill(sql, commandBus);
  await linkTools(sql, commandBus);
  await useWorkflow(sql, commandBus);
  // By the engine itself, since the ids of the sample are fixed and a use case makes fresh ones.
  await app.get(CommandEngine, { strict: false }).execute({
    context,
    commands: planAgentApi,
    result: () => undefined,
  });
  await commandBus.execute(new PutAgent(writer, { agentDefId, ...agentProfile }));
  const assignment = { agentDefId, skillId: await loadedSkillId(sql) };
  const terms = { config: {}, priority: 0, sequenceId: 0 };
  await commandBus.execute(new PutAgentSkill(writer, { ...assignment, ...terms }));
  return true;
}

/** Whether the sample's last step, the assignment, is missing, and nobody else has written. */
async function isToBeLoaded(database: Database): Promise<boolean> {
  const others = await database.acrossHosts.query('SELECT FROM host_head_t WHERE host_id <> $1 LIMIT 1', [
    hostId,
  ]);
  const own = await database.of(hostId).query(
    `SELECT FROM event_store_t WHERE host_id = $1 AND (user_id <> $2 OR event_type = 'AgentSkillCreatedEvent')
     LIMIT 1`,
    [hostId, loader],
  );
  return others.length === 0 && own.length === 0;
}

async function accountService() {
  const body = {
    api: accountApi,
    version: { apiVersion: '1.0.0', serviceId: apiServiceId, envTag },
    document: await documentOf('account-service.openapi.yaml'),
    publish: true,
  };
  return { body: Buffer.from(JSON.stringify(body)), mediaType: 'application/json', query: {} };
}

async function writeToolFields(sql: Sql, commandBus: CommandBus): Promise<void> {
  for (const { toolId, name } of await toolsOf(sql)) {
    const fields = toolFields[name];
    if (fields !== undefined) await commandBus.execute(new UpdateTool(writer, { toolId, ...fields }));
  }
}

async function makeVocabulary(sql: Sql, commandBus: CommandBus): Promise<void> {
  const { category: categoryName, tags } = skillTaxonomy;
  if ((await termsOf(sql, 'category', [categoryName])).size === 0) {
    const categoryDesc = 'What people at the support desk do.';
    const fields = { entityType: 'skill', categoryName, categoryDesc, parentCategoryId: null } as const;
    await commandBus.execute(new CreateCategory(writer, fields));
  }
  const known = await termsOf(sql, 'tag', tags);
  for (const tagName of tags.filter((name) => !known.has(name))) {
    await commandBus.execute(new CreateTag(writer, { entityType: 'skill', tagName, tagDesc: null }));
  }
}

function termsOf(
  sql: Sql,
  noun: 'category' | 'tag',
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return termIdsByName(sql, visibility, 'skill', { noun, names });
}

async function writeSkill(sql: Sql, commandBus: CommandBus): Promise<void> {
  if ((await skillIdOf(sql)) !== undefined) return;
  const contentMarkdown = await documentOf('household-accounts.skill.md');
  const categories = await termsOf(sql, 'category', [skillTaxonomy.category]);
  const tags = await termsOf(sql, 'tag', skillTaxonomy.tags);
  const selection = { categoryIds: [...categories.values()], tagIds: [...tags.values()] };
  const fields = { ...skillFields, contentMarkdown, parentSkillId: null };
  await commandBus.execute(new CreateSkill(writer, { ...fields, ...selection }));
}

async function linkTools(sql: Sql, commandBus: CommandBus): Promise<void> {
  const skillId = await loadedSkillId(sql);
  for (const { toolId } of await toolsOf(sql)) {
    await commandBus.execute(new PutSkillTool(writer, { skillId, toolId, config: {} }));
  }
}

async function useWorkflow(sql: Sql, commandBus: CommandBus): Promise<void> {
  const wfDefId = (await workflowIdOf(sql)) ?? (await writeWorkflow(commandBus));
  await commandBus.execute(new PublishWorkflow(writer, { wfDefId }));
  const link = { skillId: await loadedSkillId(sql), wfDefId, workflowRole: 'primary' } as const;
  await commandBus.execute(new PutSkillWorkflow(writer, { ...link, startMode: 'agent', config: {} }));
}

async function writeWorkflow(commandBus: CommandBus): Promise<string> {
  const definition = await documentOf('explain-bill.workflow.yaml');
  return (await commandBus.execute(new CreateWorkflow(writer, { ...billWorkflow, definition }))).id;
}

async function workflowIdOf(sql: Sql): Promise<string | undefined> {
  const { namespace, name, version } = billWorkflow;
  const [row] = await sql.query<{ wf_def_id: string }>(
    'SELECT wf_def_id FROM workflow_read WHERE host_id = $1 AND namespace = $2 AND name = $3 AND version = $4',
    [hostId, namespace, name, version],
  );
  return row?.wf_def_id;
}

async function planAgentApi(sql: Sql): Promise<readonly Command[]> {
  if ((await findApiVersion(sql, hostId, agentDefId)) !== undefined) return [];
  const { apiId, ...fields } = agentApi;
  const version = {
    apiId,
    apiVersion: '1.0.0',
    apiType: 'agent',
    serviceId: agentServiceId,
    envTag,
    quarantine: false,
  } as const;
  return [api.create(hostId, apiId, fields), apiVersion.create(hostId, agentDefId, version)];
}

function toolsOf(sql: Sql): Promise<{ toolId: string; name: string }[]> {
  return sql.query('SELECT tool_id AS "toolId", name FROM tool_read WHERE host_id = $1 ORDER BY name', [
    hostId,
  ]);
}

async function skillIdOf(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.query<{ skill_id: string }>(
    'SELECT skill_id FROM skill_read WHERE host_id = $1 AND name = $2 AND active',
    [hostId, skillFields.name],
  );
  return row?.skill_id;
}

async function loadedSkillId(sql: Sql): Promise<string> {
  const skillId = await skillIdOf(sql);
  if (skillId === undefined) throw new Error(`The sample's skill ${skillFields.name} is missing.`);
  return skillId;
}

function documentOf(name: string): Promise<string> {
  return readFile(join(packageRoot(), 'sample', name), 'utf8');
}
