import { leastAccessLevel, loosensLink, refuseEmptyRange } from './skill-tool.rules.js';

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
  const former = { ...limits, active: true, range: null, description: null, examples: null, notes: null };

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

describe('a range that a link is given', () => {
  const versions = [
    { version: '2.0.0', state: 'in_review' },
    { version: '1.2.0', state: 'rejected' },
    { version: '1.1.0', state: 'retired' },
    { version: '1.0.0', state: 'deprecated' },
  ];

  it.each(['1.1.0', '~1.1'])('may not be %s, which takes what is retired alone', (range) => {
    const refused = expect.objectContaining({
      code: 'version_retired',
      message: 'Version 1.1.0 of read_file is retired, and ' + range + ' takes no other. Link one of 1.0.0.',
    }) as Error;
    expect(() => {
      refuseEmptyRange('read_file', range, versions);
    }).toThrow(refused);
  });

  it.each(['1.2.0', '3.0.0', '^9'])('may not be %s, which takes nothing', (range) => {
    const refused = expect.objectContaining({
      code: 'range_takes_nothing',
      message: expect.stringContaining(
        `${range} takes none of read_file’s versions (2.0.0, 1.0.0).`,
      ) as string,
    }) as Error;
    expect(() => {
      refuseEmptyRange('read_file', range, versions);
    }).toThrow(refused);
  });

  it('names ten versions at most', () => {
    const many = Array.from({ length: 12 }, (_, minor) => ({
      version: `1.${String(minor)}.0`,
      state: 'approved',
    }));
    expect(() => {
      refuseEmptyRange('read_file', '^9', many);
    }).toThrow('1.9.0, …)');
  });

  it.each(['1.0.0', '^1', '2.0.0'])('may be %s', (range) => {
    expect(() => {
      refuseEmptyRange('read_file', range, versions);
    }).not.toThrow();
  });
});
