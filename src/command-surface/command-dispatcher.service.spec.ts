import { RuleBroken } from '../kernel/errors.js';
import type { AgentCommand, CommandContext } from './agent-command.js';
import { CommandExecutor } from './command-dispatcher.service.js';

const context = {} as CommandContext;
const command: AgentCommand = {
  ...{ name: 'query_graph', summary: 's', description: 'd', properties: {}, result: { type: 'object' } },
  ...{ scope: ['catalog:read'], writes: false, execution: 'intercepted', route: 'POST /graph/query' },
};

it('refuses what somebody in front of it should have taken, and says where to go', async () => {
  const executor = new CommandExecutor();
  const refused = await executor.execute(command, {}, context).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RuleBroken);
  expect(refused).toMatchObject({ code: 'failed_precondition' });
  expect((refused as Error).message).toMatch(/^FAILED_PRECONDITION.*graph\/query/);
});

it('refuses it also where it could carry it out', async () => {
  let ran = false;
  const run = () => {
    ran = true;
    return { value: {} };
  };
  await expect(new CommandExecutor().execute({ ...command, run }, {}, context)).rejects.toBeInstanceOf(
    RuleBroken,
  );
  expect(ran).toBe(false);
});

it('carries out the others', async () => {
  const direct: AgentCommand = { ...command, execution: 'direct', run: () => ({ value: { done: true } }) };
  expect(await new CommandExecutor().execute(direct, {}, context)).toEqual({ value: { done: true } });
});
