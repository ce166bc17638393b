import { randomUUID } from 'node:crypto';
import { agentsAffected } from '../../../src/effective-catalog/delivery/catalog-changes.service.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { AccountAgent } from './account-agent.js';

eachDatabase((open) => {
  let database: OpenDatabase;
  let agent: AccountAgent;
  beforeAll(async () => {
    database = await open();
    agent = await new AccountAgent(database.asOwner, randomUUID()).build(2, 1);
  });

  const listening = [AccountAgent.id, randomUUID()];
  const affected = (...ids: string[]) =>
    agentsAffected(database.of(agent.hostId), agent.hostId, listening, ids);

  it.each([
    ['the agent', AccountAgent.id],
    ['a skill', AccountAgent.skill(1)],
    ['a tool', AccountAgent.tool(0)],
    ['an endpoint', AccountAgent.endpoint(1)],
    ['an API version', AccountAgent.apiVersion],
  ])('reaches the agent from %s', async (_, id) => {
    expect(await affected(randomUUID(), 'accounts', id)).toEqual([AccountAgent.id]);
  });

  it('reaches nobody from what no skill of theirs has', async () => {
    await agent.addTool(77);
    expect(await affected(AccountAgent.tool(77), randomUUID())).toEqual([]);
  });

  it.each([
    ['a link names by its id', 'skill_tool_t', (id: string) => ({ config: { approvalWorkflow: id } })],
    ['a link names', 'skill_tool_t', () => ({ config: { approvalWorkflow: 'ops/approve' } })],
    ['a tool names', 'tool_t', () => ({ tool_metadata: { safety: { approvalWorkflow: 'ops/approve' } } })],
  ])('reaches the agent from the workflow that %s to approve calls', async (_, table, patch) => {
    const wf_def_id = randomUUID();
    const version = randomUUID();
    const words = { namespace: 'ops', name: 'approve', version, lifecycle_status: 'PUBLISHED' };
    await agent.tables.add('wf_definition_t', { wf_def_id, ...words });
    expect(await affected(wf_def_id)).toEqual([]);
    await agent.tables.set(table, { tool_id: AccountAgent.tool(0) }, patch(wf_def_id));
    expect(await affected(wf_def_id)).toEqual([AccountAgent.id]);
    await agent.tables.set('skill_tool_t', { tool_id: AccountAgent.tool(0) }, { config: {} });
  });

  it('reaches the agent from a workflow that its skill has linked', async () => {
    const wf_def_id = randomUUID();
    const link = { skill_id: AccountAgent.skill(0), wf_def_id, workflow_role: 'test', start_mode: 'agent' };
    await agent.tables.add('skill_workflow_t', link);
    expect(await affected(wf_def_id)).toEqual([AccountAgent.id]);
  });
});
