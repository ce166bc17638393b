import fc from 'fast-check';
import { notLinked, validateWorkflow } from './workflow-validation.js';
import type { CallableTool } from './tool-calls.js';
import { many } from '../../test/soak.js';

const tool = (name: string, more: Partial<CallableTool> = {}): CallableTool => ({
  toolId: `id-of-${name}`,
  name,
  capabilityRef: `accounts/${name}`,
  endpointId: `endpoint-of-${name}`,
  endpoint: `/${name}@get`,
  active: true,
  ...more,
});
const known = [tool('known')];
const workflow = (steps: unknown, use?: unknown): string =>
  JSON.stringify({ document: { dsl: '1.0.3' }, do: steps, ...(use === undefined ? {} : { use }) });
const errorsOf = (definition: string, tools = known) =>
  validateWorkflow(definition, { tools })
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ path, code }) => [path, code]);

/** Steps that call the tool of a name, in each form that there is. */
const forms: readonly (readonly [string, (name: string) => object])[] = [
  ['call: mcp with.tool', (name) => ({ call: 'mcp', with: { tool: name, arguments: {} } })],
  [
    'call: mcp tools/call',
    (name) => ({ call: 'mcp', with: { method: 'tools/call', parameters: { name, arguments: {} } } }),
  ],
  ['call: http lightapi', (name) => ({ call: 'http', with: { endpoint: `lightapi://accounts/${name}` } })],
  [
    'call: http lightapi in an object',
    (name) => ({ call: 'http', with: { method: 'get', endpoint: { uri: `lightapi://accounts/${name}` } } }),
  ],
  ['call: http with.uri', (name) => ({ call: 'http', with: { uri: `LightAPI://accounts/${name}` } })],
  [
    'call: http workflowTool',
    (name) => ({ call: 'http', with: {}, metadata: { workflowTool: { toolId: `id-of-${name}` } } }),
  ],
  ['call: http endpointRef', (name) => ({ call: 'http', metadata: { endpointRef: `endpoint-of-${name}` } })],
  ['short mcp', (name) => ({ mcp: { tool: name } })],
  ['short openapi', (name) => ({ openapi: { endpointId: `endpoint-of-${name}` } })],
  ['short openapi by key', (name) => ({ openapi: { endpointId: `/${name}@get` } })],
];

/** Places in which a step may stand, each with the path that leads to it. */
const places: readonly (readonly [string, (step: object) => string, string])[] = [
  ['do', (step) => workflow([{ a: {} }, { it: step }]), '/do/1/it'],
  ['nested do', (step) => workflow([{ group: { do: [{ it: step }] } }]), '/do/0/group/do/0/it'],
  ['for', (step) => workflow([{ each: { for: { in: '.x' }, do: [{ it: step }] } }]), '/do/0/each/do/0/it'],
  [
    'fork',
    (step) => workflow([{ both: { fork: { branches: [{ it: step }] } } }]),
    '/do/0/both/fork/branches/0/it',
  ],
  ['try', (step) => workflow([{ t: { try: [{ it: step }], catch: {} } }]), '/do/0/t/try/0/it'],
  [
    'catch',
    (step) => workflow([{ t: { try: [], catch: { as: 'e', do: [{ it: step }] } } }]),
    '/do/0/t/catch/do/0/it',
  ],
  [
    'listen.foreach',
    (step) => workflow([{ l: { listen: { to: {}, foreach: { do: [{ it: step }] } } } }]),
    '/do/0/l/listen/foreach/do/0/it',
  ],
  [
    'foreach beside listen',
    (step) => workflow([{ l: { listen: { to: {} }, foreach: { do: [{ it: step }] } } }]),
    '/do/0/l/foreach/do/0/it',
  ],
  [
    'a subscription',
    (step) =>
      workflow([{ s: { call: 'asyncapi', with: { subscription: { foreach: { do: [{ it: step }] } } } } }]),
    '/do/0/s/with/subscription/foreach/do/0/it',
  ],
  ['functions', (step) => workflow([], { functions: { it: step } }), '/use/functions/it'],
  [
    'functions with steps',
    (step) => workflow([{ a: { call: 'f' } }], { functions: { f: { do: [{ 'i/t': step }] } } }),
    '/use/functions/f/do/0/i~1t',
  ],
  [
    'before',
    (step) => workflow([], { extensions: [{ x: { extend: 'all', before: [{ it: step }] } }] }),
    '/use/extensions/0/x/before/0/it',
  ],
  [
    'after',
    (step) => workflow([], { extensions: [{ x: { extend: 'all', after: [{ it: step }] } }] }),
    '/use/extensions/0/x/after/0/it',
  ],
  [
    'extensions as a map',
    (step) => workflow([], { extensions: { x: { after: [{ it: step }] } } }),
    '/use/extensions/x/after/0/it',
  ],
];

describe.each(forms)('a tool called by %s', (_, call) => {
  it.each(places)('is found in %s', (_place, around, path) => {
    expect(errorsOf(around(call('unknown')))).toEqual([[path, 'workflow_tool_not_linked']]);
    expect(errorsOf(around(call('known')))).toEqual([]);
  });

  it('need not be linked where the step says that it is future or external', () => {
    const marked = (dependency: unknown) => {
      const step = call('unknown') as { metadata?: object };
      return workflow([{ it: { ...step, metadata: { ...step.metadata, dependency } } }]);
    };
    expect(errorsOf(marked('future'))).toEqual([]);
    expect(errorsOf(marked('external'))).toEqual([]);
    expect(errorsOf(marked('whatever'))).toEqual([['/do/0/it', 'workflow_tool_not_linked']]);
    expect(validateWorkflow(marked('future')).toolCalls).toMatchObject([{ dependency: 'future' }]);
  });

  it('is a warning where its name is an expression', () => {
    for (const name of ['${ .tool }', '${{ tool }}', 'get${ .what }']) {
      const { problems, toolCalls } = validateWorkflow(workflow([{ it: call(name) }]), { tools: [] });
      expect(problems).toMatchObject([{ severity: 'warning', code: 'workflow_tool_expression' }]);
      expect(toolCalls).toEqual([]);
    }
  });
});

describe('a step that calls no tool of the catalog', () => {
  it.each([
    { call: 'http', with: { method: 'get', endpoint: 'https://example.com/accounts' } },
    { call: 'mcp', with: { resource: 'file:///a' } },
    { call: 'mcp', with: { prompt: 'greet' } },
    { call: 'mcp', with: { method: 'resources/read', parameters: { uri: 'file:///a' } } },
    { call: 'openapi', with: { operationId: 'x', document: { endpoint: 'https://example.com' } } },
    { call: 'agent', with: { agent: 'helper' } },
    { call: 'shared@catalog' },
    { agent: { agentDefId: 'x' } },
    { switch: [{ yes: { when: '.a', then: 'end' } }] },
    { set: { tool: 'unknown' } },
  ])('is left alone: %j', (step) => {
    expect(validateWorkflow(workflow([{ it: step }]), { tools: [] }).problems).toEqual([]);
  });
});

describe('a call that can’t be told', () => {
  it.each([
    [{ call: 'mcp', with: { tool: 'known', resource: 'x' } }, '/with', 'workflow_call_ambiguous'],
    [{ call: 'mcp', with: { tool: 'known', method: 'tools/call' } }, '/with', 'workflow_call_ambiguous'],
    [{ call: 'mcp', mcp: { tool: 'known' }, with: { tool: 'known' } }, '', 'workflow_call_ambiguous'],
    [{ call: 'mcp' }, '/with', 'workflow_tool_missing'],
    [{ call: 'mcp', with: { method: 'tools/call' } }, '/with/parameters/name', 'workflow_tool_missing'],
    [{ call: 'mcp', with: { tool: ['known'] } }, '/with/tool', 'workflow_tool_missing'],
    [{ call: 'http', with: { uri: 'lightapi://' } }, '/with/uri', 'workflow_tool_missing'],
    [{ mcp: {} }, '/mcp/tool', 'workflow_tool_missing'],
    [{ call: { mcp: {} } }, '/call', 'workflow_steps_malformed'],
    ['call: mcp', '', 'workflow_steps_malformed'],
  ])('is an error: %j', (step, at, code) => {
    expect(errorsOf(workflow([{ it: step }]))).toContainEqual([`/do/0/it${at}`, code]);
  });

  it.each([
    [{ call: 'nowhere' }, 'workflow_function_unknown'],
    [{ call: '${ .f }' }, 'workflow_tool_expression'],
    [{ call: 'mcp', with: { method: '${ .m }' } }, 'workflow_tool_expression'],
    [{ run: { workflow: { namespace: 'a', name: 'b', version: '1' } } }, 'workflow_run_unchecked'],
  ])('is a warning: %j', (step, code) => {
    const { problems } = validateWorkflow(workflow([{ it: step }]), { tools: [] });
    expect(problems).toMatchObject([{ severity: 'warning', code }]);
  });
});

describe('the text of a definition', () => {
  it.each([
    ['', 'workflow_malformed_yaml'],
    ['- a\n- b', 'workflow_malformed'],
    ['just words', 'workflow_malformed'],
    ['do: [', 'workflow_malformed_yaml'],
    ['do:\n  - a: {}\ndo: []', 'workflow_malformed_yaml'],
    ['do: !!js/function "x"', 'workflow_malformed_yaml'],
    [`do: ${'['.repeat(100)}${']'.repeat(100)}`, 'workflow_document_too_deep'],
  ])('is refused: %j', (definition, code) => {
    const { problems, steps } = validateWorkflow(definition);
    expect(problems).toMatchObject([{ severity: 'error', code }]);
    expect(steps).toEqual([]);
  });

  it('is refused where its aliases repeat it without measure', () => {
    const levels = Array.from({ length: 12 }, (_, n) =>
      n === 0 ? 'a0: &a0 [x]' : `a${String(n)}: &a${String(n)} [${`*a${String(n - 1)},`.repeat(9)}]`,
    );
    const { problems } = validateWorkflow(levels.join('\n'));
    expect(problems).toMatchObject([{ severity: 'error', code: 'workflow_document_too_large' }]);
  });

  it('is warned of where it says another name than it is saved under, or does nothing', () => {
    const identity = { namespace: 'ops', name: 'close', version: '1.0.0' };
    const text = 'document: {namespace: ops, name: open, version: 1.0.0}';
    expect(validateWorkflow(text, { identity }).problems).toMatchObject([
      { severity: 'warning', path: '/document/name', code: 'workflow_document_differs' },
      { severity: 'warning', path: '', code: 'workflow_without_steps' },
    ]);
  });

  it('may hold steps that are no list: they are refused, and looked into all the same', () => {
    expect(errorsOf('do: {it: {mcp: {tool: unknown}}}')).toEqual([
      ['/do', 'workflow_steps_malformed'],
      ['/do/it', 'workflow_tool_not_linked'],
    ]);
    expect(errorsOf('do: [{one: {mcp: {tool: unknown}}, two: {}}]')).toEqual([
      ['/do/0', 'workflow_steps_malformed'],
      ['/do/0/one', 'workflow_tool_not_linked'],
    ]);
  });

  it('never makes the validator throw, and no number of warnings hides an error', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        validateWorkflow(JSON.stringify({ do: value, use: value }), { tools: [] });
      }),
      many(100),
    );
    const odd = Array.from({ length: 400 }, (_, n) => ({ [`s${String(n)}`]: { call: 'nowhere' } }));
    const definition = workflow([...odd, { it: { mcp: { tool: 'unknown' } } }]);
    expect(errorsOf(definition)).toEqual([['/do/400/it', 'workflow_tool_not_linked']]);
  });
});

it('tells the steps in their order, and what they call', () => {
  const steps = [{ a: { call: 'mcp', with: { tool: 'known' } } }, { b: { do: [{ c: { wait: {} } }] } }];
  expect(validateWorkflow(workflow(steps)).steps).toMatchObject([
    { path: '/do/0/a', name: 'a', kind: 'call: mcp', tools: [{ by: 'name', value: 'known' }] },
    { path: '/do/1/b', name: 'b', kind: 'do', tools: [] },
    { path: '/do/1/b/do/0/c', name: 'c', kind: 'wait' },
  ]);
  const call = { path: '/do/0/a', by: 'capabilityRef', value: 'accounts/get', dependency: null } as const;
  expect(notLinked(call)).toContain('the tool of lightapi://accounts/get');
});
