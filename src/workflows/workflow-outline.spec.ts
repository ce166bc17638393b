import { outlineOf } from './workflow-outline.js';

const definition = `# comments count
document: {namespace: ops, name: pay, version: 1.0.0}
do:
  - look:
      switch:
        - rich: {when: .rich, then: spend}
        - poor: {when: .poor, then: end}
  - save:
      for: {each: coin, in: .coins}
      do:
        - put: {call: mcp, with: {tool: putCoin}}
        - count: {set: {n: 1}, then: exit}
  - both:
      fork:
        branches:
          - one: {wait: {seconds: 1}}
          - two: {call: mcp, with: {}}
  - spend:
      try:
        - buy: {mcp: {tool: buyIt}, then: look}
      catch:
        do:
          - fail: {raise: {error: {}}}
          - never: {set: {}}
`;

describe('the outline of a definition', () => {
  it('says where steps stand, and where they lead to', async () => {
    const { steps } = await outlineOf(definition, {});
    const way = ({ path, label }: { path: string; label: string | null }) =>
      `${label === null ? '' : `${label}: `}${path.slice(path.lastIndexOf('/') + 1)}`;
    expect(steps.map(({ name, line, next }) => [name, line, ...next.map(way)])).toEqual([
      ['look', 4, 'rich: spend', 'save'],
      ['save', 8, 'do: put', 'both'],
      ['put', 11, 'count'],
      ['count', 12],
      ['both', 13, 'branch: one', 'branch: two', 'spend'],
      ['one', 16],
      ['two', 17],
      ['spend', 18, 'try: buy', 'catch: fail'],
      ['buy', 20],
      ['fail', 23],
      ['never', 24],
    ]);
  });

  it('takes every case of a switch for all where one needs no condition', async () => {
    const text = 'do: [{a: {switch: [{x: {then: c}}]}}, {b: {set: {}, then: a}}, {c: {set: {}}}]';
    const { steps } = await outlineOf(text, {});
    expect(steps.map(({ next }) => next)).toEqual([
      [{ path: '/do/2/c', label: 'x' }],
      [{ path: '/do/0/a', label: null }],
      [],
    ]);
  });

  it('puts each problem at its line, in the order of the text', async () => {
    const key = 'github_pat_' + 'a1B2'.repeat(20) + 'ab';
    const { problems } = await outlineOf(`${definition}# ${key}\n`, {
      ...{ identity: { namespace: 'ops', name: 'earn' }, tools: [] },
    });
    expect(problems.map(({ code, line }) => [line, code])).toEqual([
      [2, 'workflow_document_differs'],
      [11, 'workflow_tool_not_linked'],
      [17, 'workflow_tool_missing'],
      [20, 'workflow_tool_not_linked'],
      [25, 'workflow_contains_secret'],
    ]);
    expect(JSON.stringify(problems)).not.toContain(key);
  });

  it('names the line where a text is no YAML, and the first where it is about the whole', async () => {
    const linesOf = async (text: string) => (await outlineOf(text, {})).problems.map(({ line }) => line);
    expect(await linesOf('do:\n  - a: {}\n  - b: [\n')).toEqual([4]);
    expect(await linesOf('a: 1\n')).toEqual([1]);
    expect(await linesOf('- a\n- b\n')).toEqual([1]);
  });

  it('finds the line of what an alias repeats by what holds the alias', async () => {
    const text = 'use:\n  x: &x {mcp: {tool: gone}}\ndo:\n  - a: *x\n';
    const { problems } = await outlineOf(text, { tools: [] });
    expect(problems.map(({ line }) => line)).toEqual([4]);
  });
});
