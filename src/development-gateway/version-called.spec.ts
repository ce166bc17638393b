import type { RouterTool } from '../gateways/mcp-router.js';
import { versionCalled } from './version-called.js';

const graphql = { document: 'mutation { b { id } }', field: 'b' };
const newest = {
  ...{
    name: 'create_issue',
    path: 'x',
    apiType: 'graphql',
    inputSchema: { title: 'newest' },
    outputSchema: {},
  },
  graphql,
  versions: [
    {
      version: '0.2.0',
      description: '',
      inputSchema: {},
      graphql: { ...graphql, document: 'mutation { a { id } }' },
    },
    { version: '0.1.0', description: '', inputSchema: { title: 'oldest' } },
  ],
  toolMetadata: { lifecycle: { version: '1.0.0', status: 'active' } },
} as unknown as RouterTool;
const { apiType: _, graphql: __, ...without } = newest;

test('a call that names no version is of the newest', () => {
  expect(versionCalled(newest, undefined)).toBe(newest);
  expect(versionCalled(newest, '1.0.0')).toBe(newest);
});

test('a version is carried out by its own operation', () => {
  const called = versionCalled(newest, '0.2.0');
  expect(called.graphql?.document).toBe('mutation { a { id } }');
  expect(called.toolMetadata.lifecycle).toEqual({ version: '0.2.0', status: 'active' });
  expect(called.outputSchema).toBeUndefined();
});

test('one without an operation is carried out by that of the newest, and takes its own arguments', () => {
  expect(versionCalled(newest, '0.1.0')).toMatchObject({ graphql, inputSchema: { title: 'oldest' } });
});

test('one that says an operation is GraphQL also where the newest is not', () => {
  expect(versionCalled(without, '0.2.0').apiType).toBe('graphql');
});

test.each(['7.0.0', 7, null, '__proto__'])(
  'there is no version %s, and it is said which there are',
  (version) => {
    expect(() => versionCalled(newest, version)).toThrow(
      /^No implementation found for version .* of create_issue. There is: 1.0.0, 0.2.0, 0.1.0\.$/,
    );
  },
);
