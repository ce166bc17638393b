import { ToolMatch } from './tool-match.js';

const tool = (name: string, more: { endpoint?: string; exposed?: boolean } = {}) => ({
  ...{ name, endpoint: null, exposed: false },
  ...more,
});
const listed = (path: string, endpoint?: string) => ({
  path,
  ...(endpoint !== undefined && { extras: { _meta: { route: { endpoint } } } }),
});

test('a tool is what is exposed under its name, else what its route names, else a namesake', () => {
  const get = '/a/{id}@get';
  const [idle, shown] = [tool('read'), tool('read', { exposed: true })];
  const routed = tool('other', { endpoint: get });
  const own = tool('name_of_the_catalog', { endpoint: 'name of the server@call' });
  const match = new ToolMatch([idle, shown, routed, own]);
  expect(match.of(listed('read', get))).toBe(shown);
  expect(match.of(listed('renamed', get))).toBe(routed);
  expect(match.of(listed('name of the server'))).toBe(own);
  expect(match.of(listed('name_of_the_catalog'))).toBe(own);
  expect(match.of(listed('unknown', '/b@get'))).toBeUndefined();
  expect(new ToolMatch([idle, routed]).of(listed('read', get))).toBe(routed);
  expect(new ToolMatch([idle, routed]).of(listed('read'))).toBe(idle);
});

test('a route that several have is that of the one which is exposed', () => {
  const endpoint = '/a@get';
  const [one, other] = [tool('one', { endpoint }), tool('two', { endpoint })];
  expect(new ToolMatch([one, other]).of(listed('x', endpoint))).toBeUndefined();
  const shown = { ...other, exposed: true };
  expect(new ToolMatch([one, shown]).of(listed('x', endpoint))).toBe(shown);
});

test('a gateway of thousands is looked through once, not once for each of its tools', () => {
  let read = 0;
  const tools = Array.from({ length: 2_000 }, (_, index) => ({
    endpoint: null,
    exposed: true,
    get name() {
      read += 1;
      return `tool_${String(index)}`;
    },
  }));
  const match = new ToolMatch(tools);
  for (let index = 0; index < 2_000; index += 1)
    expect(match.of({ path: `new_${String(index)}` })).toBeUndefined();
  expect(read).toBeLessThan(10 * tools.length);
});
