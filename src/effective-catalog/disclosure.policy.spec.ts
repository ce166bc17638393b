import {
  anEndpoint,
  anOffer,
  changeLink,
  changeSafety,
  changeTool,
  type Change,
} from '../../test/catalog-rows.js';
import type { Terms } from './disclosure.offer.js';
import { objectionTo, rules } from './disclosure.policy.js';

const terms: Terms = { approvals: new Set() };

/** What makes each rule object, in the order of contract 7. All of them can hold of one offer at once. */
const parts = ['api', 'api_version', 'endpoint'] as const;

/** Of what is off around an endpoint, the outermost is named. */
function switchOff(part: (typeof parts)[number]): Change {
  return (offer) => {
    const off = [part, offer.endpoint?.inactive_part];
    const inactive_part = parts.find((each) => off.includes(each)) ?? null;
    return { ...offer, endpoint: { ...anEndpoint, ...offer.endpoint, inactive_part } };
  };
}

const causes: readonly { reason: string; change: Change; more?: Partial<Terms> }[] = [
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
];
const pairs = causes.flatMap((first, i) => causes.slice(i + 1).map((second) => ({ first, second })));

const reasonOf = (change: Change, more: Partial<Terms> = {}): string | undefined =>
  objectionTo(change(anOffer), { ...terms, ...more })?.reason;

describe('the reasons of contract 7', () => {
  it('discloses what no rule objects to', () => {
    expect(objectionTo(anOffer, terms)).toBeUndefined();
  });

  it.each(causes)('$reason', ({ reason, change, more }) => {
    expect(objectionTo(change(anOffer), { ...terms, ...more })).toEqual({
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
