import type { Command } from '../../kernel/command.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { callsWithoutTool } from '../../workflows/shared.js';
import { documentedWorkflows, workflowsNamed } from './skill-document.lookup.js';
import type { Unresolved } from './skill-document.schemas.js';
import type { IncomingSkill } from './skill-import.js';
import { callableTools, skillWorkflow } from '../links/skill-workflow.link.js';

/** Commands by which an import changes the workflows of a skill. */
export interface ImportedWorkflows {
  readonly unlinks: readonly Command[];
  readonly links: readonly Command[];
  /** Ids of the workflows that the skill loses altogether, whatever the role. */
  readonly leaving: readonly string[];
  readonly unresolved: readonly Unresolved[];
}

const untouched: ImportedWorkflows = { unlinks: [], links: [], leaving: [], unresolved: [] };

/** Plans the workflows of an import; `toolIds` are the tools that the skill has after it, which the workflows may call. */
export async function planImportedWorkflows(
  sql: Sql,
  skill: { readonly caller: Caller; readonly skillId: string; readonly toolIds: readonly string[] },
  workflows: IncomingSkill['workflows'],
): Promise<ImportedWorkflows> {
  if (workflows === undefined) return untouched;
  const { caller, skillId } = skill;
  const { hostId } = caller;
  const present = await documentedWorkflows(sql, hostId, skillId);
  const known = await workflowsNamed(sql, hostId, workflows);
  const tools = await callableTools(sql, hostId, skill.toolIds);
  const wanted = workflows.map((said) => ({ said, found: known.find((workflow) => isSame(workflow, said)) }));
  const primary = wanted.find(({ said, found }) => said.workflowRole === 'primary' && found)?.found?.wfDefId;
  const links = wanted.flatMap(({ said: { workflowRole, startMode, config }, found }) => {
    if (found === undefined) return [];
    const link = { skillId, wfDefId: found.wfDefId, workflowRole, startMode, config };
    const primaryHeldBy = primary === found.wfDefId ? null : (primary ?? null);
    const withoutTool = callsWithoutTool(found.toolCalls, tools);
    return [skillWorkflow.put(hostId, link, { caller, withoutTool, primaryHeldBy })];
  });
  const staying = new Set(links.map(({ aggregateId }) => aggregateId));
  const gone = present.filter((link) => !staying.has(skillWorkflow.id(link)));
  const named = new Set(links.map(({ payload }) => payload.wfDefId));
  return {
    unlinks: gone.map(({ wfDefId, workflowRole }) => {
      const link = { skillId, wfDefId, workflowRole };
      return skillWorkflow.remove(hostId, link, undefined);
    }),
    links,
    leaving: gone.map(({ wfDefId }) => wfDefId).filter((wfDefId) => !named.has(wfDefId)),
    unresolved: wanted.flatMap(({ said: { namespace, name, version }, found }) =>
      found ? [] : [{ kind: 'workflow', reference: `${namespace}/${name}@${version}`, reason: 'not_found' }],
    ),
  };
}

interface Key {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
}

const isSame = (a: Key, b: Key): boolean =>
  a.namespace === b.namespace && a.name === b.name && a.version === b.version;
