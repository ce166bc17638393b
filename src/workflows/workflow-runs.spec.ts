import { runsOf } from './workflow-runs.js';

it('tells the workflows that a definition runs, wherever it does', () => {
  const definition = `
do:
  - first: {run: {workflow: {namespace: ops, name: pay, version: 1.0.0}}}
  - again: {run: {workflow: {namespace: ops, name: pay, version: 1.0.0}}}
  - loop: {for: {each: x}, do: [{inner: {run: {workflow: {namespace: ops, name: any, version: latest}}}}]}
  - short: {workflow: {wfDefId: 0198c0de-0000-7000-8000-00000000f001}}
  - odd: {run: {workflow: {namespace: ops, name: '\${ .name }'}}}
  - shell: {run: {shell: {command: ls}}}
`;
  expect(runsOf(definition)).toEqual([
    { namespace: 'ops', name: 'pay', version: '1.0.0' },
    { namespace: 'ops', name: 'any', version: null },
    { wfDefId: '0198c0de-0000-7000-8000-00000000f001' },
  ]);
  expect(runsOf(': [')).toEqual([]);
});
