import { instructionsFor } from './mcp-instructions.js';

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
