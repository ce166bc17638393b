import { Rebuild } from '../../../src/kernel/rebuild.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { PutSkillWorkflow, RemoveSkillWorkflow } from '../../../src/skills/links/skill-workflow.link.js';
import type { WorkflowRole } from '../../../src/skills/links/skill-workflow.rules.js';
import {
  CreateWorkflow,
  DeactivateWorkflow,
  DeprecateWorkflow,
  PublishWorkflow,
  UpdateWorkflow,
} from '../../../src/workflows/workflow.record.js';
import { eachDatabase } from '../databases.js';
import { CatalogWorld, outcomesOf, type Receipt } from '../skills/catalog-world.js';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;
const calling = (...names: string[]): string =>
  ['do:', ...names.map((name) => `  - step-${name}: { call: mcp, with: { tool: ${name} } }`), ''].join('\n');

class WorkflowWorld extends CatalogWorld {
  async workflow(name: string, definition = 'do: []', version = '1.0.0'): Promise<string> {
    const written = { namespace: 'ops', name, version, definition };
    return (await this.execute(new CreateWorkflow(this.writer, written))).id;
  }

  save(wfDefId: string, definition: string): Promise<Receipt> {
    return this.execute(new UpdateWorkflow(this.writer, { wfDefId, definition }));
  }

  step(wfDefId: string, step: typeof PublishWorkflow): Promise<Receipt> {
    return this.execute(new step(this.writer, { wfDefId }));
  }

  have(skillId: string, wfDefId: string, workflowRole: WorkflowRole = 'primary'): Promise<Receipt> {
    const link = { skillId, wfDefId, workflowRole, startMode: 'manual', config: {} } as const;
    return this.execute(new PutSkillWorkflow(this.writer, link));
  }

  lose(skillId: string, wfDefId: string, workflowRole: WorkflowRole = 'primary'): Promise<Receipt> {
    return this.execute(new RemoveSkillWorkflow(this.writer, { skillId, wfDefId, workflowRole }));
  }
}

eachDatabase((open) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });

  test('a version is written once, also when two write it at once', async () => {
    const world = new WorkflowWorld(database);
    const names = Array.from({ length: 10 }, (_, n) => `flow-${String(n)}`);
    const counts = await outcomesOf(names.flatMap((name) => [world.workflow(name), world.workflow(name)]));
    expect(counts).toEqual({ done: 10, workflow_version_taken: 10 });
    await expect(world.workflow('flow-0', 'do: []', '2.0.0')).resolves.toBeDefined();
    expect(await world.log('WorkflowDefinitionCreatedEvent')).toHaveLength(11);
  });

  test('the YAML is kept byte for byte, with what it calls', async () => {
    const world = new WorkflowWorld(database);
    const text = '# é\r\ndo:\n  - it: {call: mcp, with: {tool: "close"}}   \n\n';
    const id = await world.workflow('kept', text);
    const [row] = await database.asOwner.query<{ definition: string; tool_calls: unknown }>(
      'SELECT definition, tool_calls FROM wf_definition_t WHERE host_id = $1 AND wf_def_id = $2',
      [world.hostId, id],
    );
    expect(row?.definition).toBe(text);
    expect(row?.tool_calls).toEqual([{ path: '/do/0/it', by: 'name', value: 'close', dependency: null }]);
  });

  test('two primary workflows race for a skill: one of each pair wins; other roles are free', async () => {
    const world = new WorkflowWorld(database);
    const [a, b] = [await world.workflow('a'), await world.workflow('b')];
    for (let round = 0; round < 5; round += 1) {
      const { id } = await world.createSkill(`Skill ${String(round)}`);
      const counts = await outcomesOf([world.have(id, a), world.have(id, b)]);
      expect(counts).toEqual({ done: 1, primary_workflow_taken: 1 });
      const others = await outcomesOf([world.have(id, a, 'test'), world.have(id, b, 'test')]);
      expect(others).toEqual({ done: 2 });
    }
  });

  test('unlinking a tool races linking a workflow that calls it: never both', async () => {
    const world = new WorkflowWorld(database);
    for (let round = 0; round < 5; round += 1) {
      const { skillId, toolId } = await world.skillWithTool(`tool ${String(round)}`);
      const wfDefId = await world.workflow(`flow-${String(round)}`, calling(`tool_${String(round)}`));
      const counts = await outcomesOf([world.have(skillId, wfDefId), world.unlink(skillId, toolId)]);
      expect(counts).toEqual({ done: 1, workflow_tool_not_linked: 1 });
    }
  });

  test('what is saved or published is checked against every skill that has it, all or nothing', async () => {
    const world = new WorkflowWorld(database);
    const one = await world.skillWithTool('one');
    const both = await world.skillWithTool('two');
    await world.link(both.skillId, one.toolId);
    const wfDefId = await world.workflow('flow', calling('one'));
    await world.have(one.skillId, wfDefId);
    await world.have(both.skillId, wfDefId, 'validation');
    const before = await world.log();
    await expect(world.save(wfDefId, calling('one', 'two'))).rejects.toMatchObject({
      code: 'workflow_tool_not_linked',
      faults: [{ pointer: '/do/1/step-two' }],
    });
    expect(await world.log()).toEqual(before);
    await world.lose(one.skillId, wfDefId);
    await world.save(wfDefId, calling('one', 'two'));
    await expect(world.have(one.skillId, wfDefId)).rejects.toThrow(refusal('workflow_tool_not_linked'));
    await expect(world.unlink(both.skillId, both.toolId)).rejects.toThrow(
      refusal('workflow_tool_not_linked'),
    );
    await expect(world.unlink(one.skillId, one.toolId)).resolves.toMatchObject({ changed: true });
    await world.deactivateTool(both.toolId);
    await expect(world.step(wfDefId, PublishWorkflow)).resolves.toMatchObject({ changed: true });
    await expect(world.save(wfDefId, calling('one'))).rejects.toThrow(refusal('workflow_not_draft'));
  });

  test('approvals are by id or namespace/name, of what is published and active', async () => {
    const world = new WorkflowWorld(database);
    const [first, second] = [
      await world.workflow('approve'),
      await world.workflow('approve', 'do: []', '2.0.0'),
    ];
    const approvals = () =>
      database
        .of(world.hostId)
        .query<{ reference: string }>(
          `SELECT DISTINCT reference FROM workflow_approval_read WHERE host_id = $1 AND approves ORDER BY 1`,
          [world.hostId],
        );
    expect(await approvals()).toEqual([]);
    for (const id of [first, second]) await world.step(id, PublishWorkflow);
    const references = (await approvals()).map(({ reference }) => reference);
    expect(new Set(references)).toEqual(new Set([first, second, 'ops/approve']));
    await world.step(first, DeprecateWorkflow);
    expect((await approvals()).map(({ reference }) => reference).sort()).toEqual(
      [second, 'ops/approve'].sort(),
    );
    await world.step(second, DeactivateWorkflow);
    expect(await approvals()).toEqual([]);
  });

  test('a rebuild gives the same rows, also where primary workflows followed one another', async () => {
    const world = new WorkflowWorld(database);
    const { skillId } = await world.skillWithTool('reader');
    const [a, b] = [await world.workflow('a', calling('reader')), await world.workflow('b')];
    for (let round = 0; round < 3; round += 1) {
      await world.have(skillId, a);
      await world.lose(skillId, a);
      await world.have(skillId, b);
      await world.lose(skillId, b);
    }
    await world.have(skillId, a);
    await world.save(b, calling('reader'));
    await world.step(b, PublishWorkflow);
    await world.step(b, DeactivateWorkflow);
    const rows = () =>
      Promise.all([
        database.asOwner.query('SELECT * FROM wf_definition_t ORDER BY 1, 2'),
        database.asOwner.query('SELECT * FROM skill_workflow_t ORDER BY 1, 2, 3, 4'),
      ]);
    const before = await rows();
    await new Rebuild(database, world.domain).run();
    expect(await rows()).toEqual(before);
  });
});
