import type { AgentCommand } from './agent-command.js';
import { catalogSpecs } from './catalog-commands.js';
import { graphSpecs } from './graph-commands.js';
import { versionSpecs } from './version-commands.js';
import { commandTools, directTools, instructionsFor } from './command-list.js';
import { commandNameOf, routedNames, routedSpec } from './routed-commands.js';

const commands: readonly AgentCommand[] = [...catalogSpecs, ...versionSpecs, ...graphSpecs];
const reading = commands.filter(({ writes }) => !writes);

it('tells every command in less than what clients cut off', () => {
  const [list, invoke] = commandTools(commands);
  expect(list?.description?.length).toBeLessThan(2000);
  expect(invoke?.description?.length).toBeLessThan(2000);
  for (const { name, summary } of commands) {
    expect(list?.description).toContain(`${name}: ${summary}`);
    expect(summary.length).toBeLessThanOrEqual(60);
  }
  for (const { description } of directTools(commands)) expect(description?.length).toBeLessThan(2000);
});

it('names the commands of routes beside invoke_command, in less than what clients cut off', () => {
  const answer = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
  const routed = routedNames.map((id) =>
    routedSpec({
      ...{ method: 'POST', url: '/v1/hosts/:hostId/skills' },
      operation: { id, summary: 'Change', scope: 'catalog:write', answer, example: { answer: {} } },
    }),
  );
  const [list, invoke] = commandTools([...commands, ...routed]);
  const [listAlone] = commandTools(commands);
  expect(list?.description).toBe(listAlone?.description);
  expect(invoke?.description?.length).toBeLessThan(2000);
  const named = invoke?.description?.split(/\s/) ?? [];
  expect(named).toEqual(expect.arrayContaining(routedNames.map(commandNameOf)));
});

it('takes of a route what its parts say, and tells them apart again', () => {
  const id = { type: 'string', format: 'uuid' } as const;
  const operation = {
    id: 'updateThing',
    summary: 'Change a thing',
    scope: 'catalog:write',
    answer: {},
    query: { type: 'object', properties: { limit: { type: 'integer' } } },
    body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    example: { answer: {} },
  } as const;
  const spec = routedSpec({ method: 'PATCH', url: '/v1/hosts/:hostId/things/:thingId', operation });
  expect(spec).toMatchObject({
    ...{ name: 'update_thing', scope: ['catalog:write'], writes: true, overwrites: true, idempotent: true },
    required: ['thingId', 'name'],
    properties: { thingId: id, limit: { type: 'integer' }, name: { type: 'string' } },
  });
  const { query, body } = spec.partsOf({ thingId: 'a', limit: 1, name: 'b' });
  expect([query, body]).toEqual([{ limit: 1 }, { name: 'b' }]);
  const twice = {
    ...operation,
    body: { type: 'object', properties: { limit: { type: 'integer' } } },
  } as const;
  expect(() => routedSpec({ method: 'PATCH', url: '/v1/hosts/:hostId/things', operation: twice })).toThrow(
    'two members of one name',
  );
});

it('says of tools what calling them does', () => {
  const tools = new Map(directTools(commands).map(({ name, annotations }) => [name, annotations]));
  const quiet = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  expect(tools.get('find_nodes')).toEqual({ ...quiet, openWorldHint: false });
  expect(tools.get('diagnose_agent')).toEqual({ ...quiet, openWorldHint: true });
  const writing = { readOnlyHint: false, openWorldHint: false };
  expect(tools.get('draft_skill')).toEqual({ ...writing, destructiveHint: false, idempotentHint: false });
  expect(tools.get('link_tool')).toEqual({ ...writing, destructiveHint: true, idempotentHint: true });
  const [, invoke] = commandTools(commands);
  expect(invoke?.annotations).toEqual({
    ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  });
  const [, invokeReading] = commandTools(reading.filter(({ reachesOut }) => reachesOut !== true));
  expect(invokeReading?.annotations).toEqual({ ...quiet, openWorldHint: false });
});

it('says of every answer what is in it', () => {
  const bare = commands.filter(({ result }) => {
    const { properties = {}, required = [] } = result as Exclude<typeof result, boolean>;
    return Object.keys(properties).length === 0 || required.length === 0;
  });
  expect(bare.map(({ name }) => name)).toEqual([]);
  const [list] = commandTools(commands);
  expect(list?.outputSchema).toMatchObject({
    properties: {
      commands: { items: { required: expect.arrayContaining(['name', 'parameters']) as unknown } },
    },
  });
});

const contract = ['get_query_dsl', 'get_graph_schema', 'Do not guess', 'query_graph', 'expand_nodes'];

it.each([true, false])(
  'tells the whole contract of discovery in its order (command surface: %s)',
  (surface) => {
    const text = instructionsFor(surface);
    const places = contract.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  },
);

it('names only what the surface lists', () => {
  expect(instructionsFor(true)).toMatch(/list_commands once/);
  expect(instructionsFor(true).match(/invoke_command with/g)).toHaveLength(4);
  expect(instructionsFor(false)).not.toMatch(/list_commands|invoke_command/);
});
