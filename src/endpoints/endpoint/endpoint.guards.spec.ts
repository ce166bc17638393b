import { type Guarded, loosened } from './endpoint.guards.js';
import { safetyOfVerb } from '../../formats/endpoint-facts.js';

const guarded = (tier: string | undefined, safety: Guarded['safety'] = {}): Guarded => ({
  routing: tier === undefined ? {} : { sensitivityTier: tier },
  safety,
});

describe('what loosens a guard', () => {
  it.each([
    ['restricted', 'confidential', ['routing.sensitivityTier']],
    ['Restricted-PII', undefined, ['routing.sensitivityTier']],
    ['internal', 'public', ['routing.sensitivityTier']],
    [undefined, 'public', ['routing.sensitivityTier']],
    ['internal', 'unheard of', []],
    ['public', 'restricted', []],
    [undefined, 'Internal-Only', []],
  ])('a tier from %s to %s', (before, after, fields) => {
    expect(loosened(guarded(before), guarded(after))).toEqual(fields);
  });

  it.each(['destructive', 'humanApprovalRequired'] as const)('the flag %s, cleared', (flag) => {
    expect(loosened(guarded('internal', { [flag]: true }), guarded('internal', { [flag]: false }))).toEqual([
      `safety.${flag}`,
    ]);
    expect(loosened(guarded('internal', { [flag]: false }), guarded('internal', { [flag]: true }))).toEqual(
      [],
    );
  });

  it('read-only, where it was not: links of access level read admit it from then on', () => {
    const [reading, writing] = [guarded('internal', { readOnly: true }), guarded('internal')];
    expect(loosened(writing, reading)).toEqual(['safety.readOnly']);
    expect(loosened(reading, writing)).toEqual([]);
    expect(loosened(reading, reading)).toEqual([]);
  });

  it('an approval workflow, set or exchanged but not taken away', () => {
    const named = guarded('internal', { approvalWorkflow: 'ops/approve' });
    expect(loosened(guarded('internal'), named)).toEqual(['safety.approvalWorkflow']);
    expect(loosened(named, guarded('internal', { approvalWorkflow: 'ops/wave' }))).toEqual([
      'safety.approvalWorkflow',
    ]);
    expect(loosened(named, named)).toEqual([]);
    expect(loosened(named, guarded('internal'))).toEqual([]);
  });
});

test.each([
  ...['get', 'head', 'options', 'query', 'trace'].map((verb) => [verb, [true, true, false]] as const),
  ['put', [false, true, false]],
  ['delete', [false, true, true]],
  ['post', [false, false, false]],
  ['patch', [false, false, false]],
  ['call', [false, false, false]],
] as const)('%s promises: read-only, idempotent, destructive %j', (verb, promised) => {
  const { readOnly, idempotent, destructive } = safetyOfVerb(verb);
  expect([readOnly, idempotent, destructive]).toEqual(promised);
});
