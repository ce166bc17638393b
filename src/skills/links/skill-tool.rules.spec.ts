import { leastAccessLevel, loosensLink } from './skill-tool.rules.js';

describe('the least access level that admits a tool', () => {
  it.each([
    [{ readOnly: true, destructive: false }, 'read'],
    [{ readOnly: false, destructive: false }, 'write'],
    [{}, 'write'],
    [{ readOnly: false, destructive: true }, 'execute'],
    [{ readOnly: true }, 'read'],
  ] as const)('of %j is %s', (safety, level) => {
    expect(leastAccessLevel(safety)).toBe(level);
  });
});

describe('what loosens a link', () => {
  const limits = { approvalWorkflow: 'ops/approve', maxSensitivityTier: 'internal' } as const;
  const former = { ...limits, active: true, range: null };

  it.each([
    ['a workflow that is named anew', undefined, { approvalWorkflow: 'ops/approve' }, true],
    ['the workflow that it has', former, { ...former, notes: 'n' }, false],
    ['another workflow', former, { ...former, approvalWorkflow: 'ops/other' }, true],
    ['the workflow of a link that was taken away', { ...former, active: false }, { ...former }, true],
    ['no workflow any more', former, { maxSensitivityTier: 'internal' }, false],
    ['a higher limit', former, { maxSensitivityTier: 'restricted' }, true],
    ['no limit any more', former, {}, true],
    ['a lower limit', former, { maxSensitivityTier: 'public' }, false],
    ['no limit where there was none', undefined, {}, false],
  ] as const)('%s', (_what, before, config, loosens) => {
    expect(loosensLink(before, config)).toBe(loosens);
  });
});
