import {
  aLink,
  anAgent,
  anAssignment,
  anEndpoint,
  anOffer,
  aTool,
  changeLink,
  changeSafety,
  changeTool,
  type Change,
  withMetadata,
} from '../../test/catalog-rows.js';
import type { Offer, Terms } from './disclosure.offer.js';
import { objectionTo } from './disclosure.policy.js';

const terms: Terms = { approvals: new Set() };

const reasonOf = (change: Change, more: Partial<Terms> = {}): string | undefined =>
  objectionTo(change(anOffer), { ...terms, ...more })?.reason;

describe('endpoint_inactive', () => {
  it('does not concern a script', () => {
    expect(
      reasonOf((offer) => ({ ...offer, endpoint: undefined, tool: { ...aTool, endpoint_id: null } })),
    ).toBeUndefined();
  });

  it('holds of an endpoint that is gone', () => {
    expect(reasonOf((offer) => ({ ...offer, endpoint: undefined }))).toBe('endpoint_inactive');
  });
});

describe('quarantine', () => {
  it.each([
    [true, 'breaking', 'change_not_accepted'],
    [true, 'suspicious', 'change_not_accepted'],
    [true, 'compatible', undefined],
    [true, 'wording', undefined],
    [true, null, undefined],
    [false, 'breaking', undefined],
  ] as const)('%s, the change of the tool %s: %s', (quarantine, change_grade, reason) => {
    const offer = (given: Offer): Offer => ({ ...given, endpoint: { ...anEndpoint, quarantine } });
    expect(reasonOf((given) => changeTool((tool) => ({ ...tool, change_grade }))(offer(given)))).toBe(reason);
    const script = { ...aTool, endpoint_id: null, quarantine, change_grade };
    expect(reasonOf((given) => ({ ...given, endpoint: undefined, tool: script }))).toBe(reason);
  });
});

describe('exposure', () => {
  it.each([
    ['no gateway stands between', undefined, undefined],
    ['a gateway exposes the tool', true, undefined],
    ['none does', false, 'not_exposed'],
  ])('%s', (_, exposed, reason) => {
    expect(reasonOf((offer) => ({ ...offer, exposed }))).toBe(reason);
  });
});

it('an API version without an environment serves every one', () => {
  expect(reasonOf((offer) => ({ ...offer, endpoint: { ...anEndpoint, env_tag: null } }))).toBeUndefined();
});

describe('access levels', () => {
  const approved = { approvals: new Set(['ops/approve']) };
  const own = { approvalWorkflow: 'ops/approve' };
  it.each([
    ['read', { readOnly: true }, true],
    ['read', { readOnly: false }, false],
    ['read', { readOnly: false, destructive: true, ...own }, false],
    ['write', { readOnly: true }, true],
    ['write', { readOnly: false }, true],
    ['write', { readOnly: false, destructive: true, ...own }, false],
    ['execute', { readOnly: true }, true],
    ['execute', { readOnly: false }, true],
    ['execute', { readOnly: false, destructive: true, ...own }, true],
    ['admin', { readOnly: true }, false],
  ])('%s and %j: admitted %s', (access_level, flags, admitted) => {
    const reason = reasonOf((offer) => changeLink({ access_level })(changeSafety(flags)(offer)), approved);
    expect(reason).toBe(admitted ? undefined : 'access_level_too_low');
  });
});

describe('the sensitivity limit is the lowest of four', () => {
  const high: Offer = {
    ...anOffer,
    agent: { ...anAgent, max_sensitivity_tier: 'restricted' },
    tool: { ...aTool, sensitivity_tier: 'confidential' },
  };
  it.each<[string, Offer, Partial<Terms>]>([
    ["the agent's", { ...high, agent: { ...anAgent, max_sensitivity_tier: 'internal' } }, {}],
    [
      "the agent's, internal where it has none",
      { ...high, agent: { ...anAgent, max_sensitivity_tier: null } },
      {},
    ],
    [
      "the assignment's",
      { ...high, assignment: { ...anAssignment, config: { maxSensitivityTier: 'Internal-Only' } } },
      {},
    ],
    ["the link's", { ...high, link: { ...aLink, config: { maxSensitivityTier: 'public' } } }, {}],
    ["the token's", high, { tokenTier: 'internal' }],
  ])('%s', (_, offer, more) => {
    expect(objectionTo(high, terms)).toBeUndefined();
    expect(objectionTo(offer, { ...terms, ...more })?.reason).toBe('sensitivity_tier_exceeds_policy');
  });

  it('never widens', () => {
    const wide = {
      ...anOffer,
      tool: { ...aTool, sensitivity_tier: 'confidential' as const },
      assignment: { ...anAssignment, config: { maxSensitivityTier: 'restricted' } },
    };
    expect(objectionTo(wide, { ...terms, tokenTier: 'restricted' })?.reason).toBe(
      'sensitivity_tier_exceeds_policy',
    );
  });
});

describe('personas', () => {
  it.each([
    ["one of the agent's, case aside", ['auditor', ' Teller '], undefined],
    ["the agent's name, case aside", ['account agent'], undefined],
    ['nobody named', ['', '  '], undefined],
    ['others only', ['auditor'], 'persona_mismatch'],
    ['a part of a name', ['tell'], 'persona_mismatch'],
  ])('%s', (_, target_personas, reason) => {
    expect(reasonOf(changeTool((tool) => ({ ...tool, target_personas })))).toBe(reason);
  });
});

describe('domains and namespaces', () => {
  it.each<[string[], string | null, string | undefined]>([
    [['finance'], 'finance', undefined],
    [['hr', 'finance'], 'finance.accounts', undefined],
    [['finance'], 'financial', 'domain_mismatch'],
    [['finance.accounts'], 'finance', 'domain_mismatch'],
    [['Finance'], 'finance', 'domain_mismatch'],
    [['finance'], null, 'domain_mismatch'],
    [[], null, undefined],
  ])('%j admits %s: %s', (admitted, actual, reason) => {
    const of = (change: Change): string | undefined =>
      reasonOf((offer) =>
        change({ ...offer, tool: { ...aTool, routing_domain: actual, semantic_namespace: actual } }),
      );
    const assign =
      (config: Record<string, unknown>): Change =>
      (offer) => ({ ...offer, assignment: { ...anAssignment, config } });
    expect(of((offer) => ({ ...offer, agent: { ...anAgent, domains: admitted } }))).toBe(reason);
    expect(of((offer) => ({ ...offer, agent: { ...anAgent, semantic_namespaces: admitted } }))).toBe(reason);
    expect(of(assign({ domains: admitted }))).toBe(reason);
    expect(of(assign({ semanticNamespaces: admitted }))).toBe(reason);
  });

  it('the assignment narrows the agent, it does not widen it', () => {
    const narrow = (offer: Offer): Offer => ({
      ...offer,
      agent: { ...anAgent, domains: ['hr'] },
      assignment: { ...anAssignment, config: { domains: ['finance'] } },
    });
    expect(reasonOf(narrow)).toBe('domain_mismatch');
  });
});

describe('approval', () => {
  const published = { approvals: new Set(['0f000000-0000-7000-8000-000000000001', 'ops/approve-transfer']) };
  const reasons = {
    destructive: 'destructive_tool_requires_approval_workflow',
    humanApprovalRequired: 'approval_required_missing_workflow',
  };
  describe.each(Object.entries(reasons))('of a tool that is %s', (flag, reason) => {
    it.each<[string, Change, string | undefined]>([
      ['nothing is named', (offer) => offer, reason],
      ['a name that is no published workflow', changeSafety({ approvalWorkflow: 'ops/other' }), reason],
      ["the tool's own, by name", changeSafety({ approvalWorkflow: 'ops/approve-transfer' }), undefined],
      [
        "the tool's own, by id",
        changeSafety({ approvalWorkflow: '0f000000-0000-7000-8000-000000000001' }),
        undefined,
      ],
      ["the link's", changeLink({ config: { approvalWorkflow: 'ops/approve-transfer' } }), undefined],
    ])('%s', (_, change, expected) => {
      expect(reasonOf((offer) => change(changeSafety({ [flag]: true })(offer)), published)).toBe(expected);
    });
  });
});

describe('context', () => {
  const requires: Change = changeTool((tool) =>
    withMetadata(
      {
        routing: {
          contextRequirements: { requiredContext: ['host_id', 'accountNo'], requiredInputs: ['x'] },
        },
      },
      tool,
    ),
  );
  it.each<[string, string[] | undefined, string | undefined]>([
    ['nobody asked', undefined, undefined],
    ['all of it at hand, inputs never withhold', ['accountNo', 'host_id', 'more'], undefined],
    ['some of it missing', ['host_id'], 'context_missing'],
    ['names are case-sensitive', ['host_id', 'accountno'], 'context_missing'],
  ])('%s', (_, names, reason) => {
    expect(reasonOf(requires, names === undefined ? {} : { context: new Set(names) })).toBe(reason);
  });
});
