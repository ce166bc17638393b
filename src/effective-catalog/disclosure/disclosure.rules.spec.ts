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
} from '../../../test/catalog-rows.js';
import { firstObjection, rules, type DisclosureContext } from './disclosure.rules.js';
import type { Offer } from './offers.js';

const terms: DisclosureContext = { approvals: new Set() };

const reasonOf = (change: Change, more: Partial<DisclosureContext> = {}): string | undefined =>
  firstObjection(rules, change(anOffer), { ...terms, ...more })?.reason;

/** What makes each rule object, in the order of the contract. All of them can hold of one offer at once. */
const parts = ['api', 'api_version', 'endpoint'] as const;

/** Of what is off around an endpoint, the outermost is named. */
function switchOff(part: (typeof parts)[number]): Change {
  return (offer) => {
    const off = [part, offer.endpoint?.inactive_part];
    const inactive_part = parts.find((each) => off.includes(each)) ?? null;
    return { ...offer, endpoint: { ...anEndpoint, ...offer.endpoint, inactive_part } };
  };
}

const causes: readonly { reason: string; change: Change; more?: Partial<DisclosureContext> }[] = [
  {
    reason: 'agent_inactive',
    change: (offer) => ({ ...offer, agent: { ...offer.agent, inactive_part: 'agent' } }),
  },
  { reason: 'skill_inactive', change: (offer) => ({ ...offer, skill: { ...offer.skill, active: false } }) },
  {
    reason: 'skill_dependency_missing',
    change: (offer) => ({ ...offer, missingSkills: ['0b000000-0000-7000-8000-000000000009'] }),
  },
  { reason: 'tool_inactive', change: changeTool((tool) => ({ ...tool, active: false })) },
  { reason: 'api_inactive', change: switchOff('api') },
  { reason: 'api_version_inactive', change: switchOff('api_version') },
  { reason: 'endpoint_inactive', change: switchOff('endpoint') },
  {
    reason: 'operation_unfit',
    change: changeTool((tool) => ({ ...tool, call_fault: { code: 'operation_unfit', details: ['Gone.'] } })),
  },
  { reason: 'version_not_approved', change: changeTool((tool) => ({ ...tool, approved: false })) },
  {
    reason: 'change_not_accepted',
    change: (offer) =>
      changeTool((tool) => ({ ...tool, change_grade: 'suspicious' }))({
        ...offer,
        endpoint: { ...anEndpoint, ...offer.endpoint, quarantine: true },
      }),
  },
  { reason: 'lifecycle_retired', change: changeTool((tool) => ({ ...tool, lifecycle_status: 'retired' })) },
  {
    reason: 'environment_mismatch',
    change: (offer) => ({ ...offer, endpoint: { ...anEndpoint, ...offer.endpoint, env_tag: 'prod' } }),
  },
  { reason: 'not_exposed', change: (offer) => ({ ...offer, exposed: false }) },
  {
    reason: 'access_level_too_low',
    change: (offer) => changeLink({ access_level: 'read' })(changeSafety({ readOnly: false })(offer)),
  },
  {
    reason: 'sensitivity_tier_exceeds_policy',
    change: changeTool((tool) => ({ ...tool, sensitivity_tier: 'restricted' })),
  },
  { reason: 'persona_mismatch', change: changeTool((tool) => ({ ...tool, target_personas: ['auditor'] })) },
  {
    reason: 'domain_mismatch',
    change: (offer) => ({ ...offer, agent: { ...offer.agent, domains: ['hr'] } }),
  },
  { reason: 'destructive_tool_requires_approval_workflow', change: changeSafety({ destructive: true }) },
  { reason: 'approval_required_missing_workflow', change: changeSafety({ humanApprovalRequired: true }) },
  {
    reason: 'context_missing',
    change: changeTool((tool) => ({
      ...tool,
      tool_metadata: {
        ...tool.tool_metadata,
        routing: { contextRequirements: { requiredContext: ['host_id'] } },
      },
    })),
    more: { context: new Set() },
  },
  { reason: 'name_shared', change: (offer) => ({ ...offer, namesake: { ...aTool, tool_id: '0' } }) },
];
const pairs = causes.flatMap((first, i) => causes.slice(i + 1).map((second) => ({ first, second })));

describe('the reasons of the contract', () => {
  it('discloses what no rule objects to', () => {
    expect(firstObjection(rules, anOffer, terms)).toBeUndefined();
  });

  it.each(causes)('$reason', ({ reason, change, more }) => {
    expect(firstObjection(rules, change(anOffer), { ...terms, ...more })).toEqual({
      reason,
      detail: expect.stringMatching(/\.$/),
    });
  });

  it.each(pairs)('$first.reason comes before $second.reason', ({ first, second }) => {
    const more = { ...first.more, ...second.more };
    expect(reasonOf((offer) => second.change(first.change(offer)), more)).toBe(first.reason);
    expect(reasonOf((offer) => first.change(second.change(offer)), more)).toBe(first.reason);
  });

  it('are tried in the order of the contract, each by one rule', () => {
    expect(rules.map(({ reason }) => reason)).toEqual(causes.map(({ reason }) => reason));
  });
});

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
  it.each<[string, Offer, Partial<DisclosureContext>]>([
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
    expect(firstObjection(rules, high, terms)).toBeUndefined();
    expect(firstObjection(rules, offer, { ...terms, ...more })?.reason).toBe(
      'sensitivity_tier_exceeds_policy',
    );
  });

  it('never widens', () => {
    const wide = {
      ...anOffer,
      tool: { ...aTool, sensitivity_tier: 'confidential' as const },
      assignment: { ...anAssignment, config: { maxSensitivityTier: 'restricted' } },
    };
    expect(firstObjection(rules, wide, { ...terms, tokenTier: 'restricted' })?.reason).toBe(
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

describe('a tool with a written operation', () => {
  const called = (more: Partial<typeof anEndpoint> | undefined): Offer => {
    const { endpoint: _, ...offer } = anOffer;
    const id = anEndpoint.endpoint_id;
    const endpoint = more && { ...anEndpoint, ...more };
    return {
      ...offer,
      tool: { ...aTool, endpoint_id: null, call_endpoints: [id] },
      called: new Map([[id, endpoint]]),
    };
  };
  it.each([
    ['is given where all that it calls is on', {}, undefined],
    ['goes with the API', { inactive_part: 'api' }, 'api_inactive'],
    ['goes with the API version', { inactive_part: 'api_version' }, 'api_version_inactive'],
    ['goes with the endpoint', { inactive_part: 'endpoint' }, 'endpoint_inactive'],
    ['goes with an endpoint that is not there', undefined, 'endpoint_inactive'],
    ['is of the environment of its API', { env_tag: 'elsewhere' }, 'environment_mismatch'],
  ] as const)('%s', (_, more, reason) => {
    expect(firstObjection(rules, called(more), terms)?.reason).toBe(reason);
  });
});
