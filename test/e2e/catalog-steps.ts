import type { Step } from './catalog-world.js';

/** Things of a world by the names that parameters of paths have. */
type Names = Readonly<Record<string, string>>;

/** What happens more seldom: whole lists that are replaced, documents that are taken in, ends of life. */
export function seldomSteps(names: Names): readonly Step[] {
  const { agentDefId = '', skillId = '', dependsOnSkillId: other = '', toolId = '', tagId = '' } = names;
  const { wfDefId = '', gatewayId = '', endpointId = '', categoryId = '' } = names;
  const agent = `/agents/${agentDefId}`;
  const whole = [{ skillId }, { skillId: other, sequenceId: 1 }];
  const profile = { personas: [], maxSensitivityTier: 'restricted' };
  const document = { name: 'Other', contentMarkdown: 'y', tools: [{ name: 'readAccount' }] };
  return [
    ['PUT', `${agent}/skills`, (n) => ({ skills: whole.slice(0, 1 + (n % 2)) })],
    ['PUT', `${agent}/skills`, () => ({ skills: [{ skillId, config: { domains: ['finance'] } }] })],
    ['POST', `${agent}/skills`, () => ({ skills: whole })],
    ['PUT', agent, (n) => ({ ...profile, domains: n % 2 ? ['finance'] : [] })],
    ['PUT', agent, (n) => ({ ...profile, gatewayIds: n % 2 ? [gatewayId] : [] })],
    ['PUT', agent, () => profile],
    ['PATCH', `/tools/${toolId}`, (n) => ({ routing: { domain: n % 2 ? 'finance.accounts' : 'hr' } })],
    ['PATCH', `/tools/${toolId}`, (n) => ({ routing: { targetPersonas: n % 2 ? ['p1'] : null } })],
    ['PATCH', `/skills/${skillId}`, (n) => ({ parentSkillId: n % 2 ? other : null })],
    [
      'PATCH',
      `/skills/${other}`,
      (n) => ({ parentSkillId: n % 2 ? skillId : null, version: `1.${String(n)}.0` }),
    ],
    ['POST', `${agent}/deactivate`],
    ['POST', `${agent}/activate`],
    ['POST', '/apis/account/deactivate'],
    ['POST', '/apis/account/activate'],
    ['POST', `/skills/${skillId}/deactivate`],
    ['POST', `/skills/${skillId}/activate`],
    ['POST', '/skills/import', (n) => ({ document: { ...document, version: `2.${String(n)}.0` } })],
    [
      'POST',
      '/skills/import',
      (n) => ({ document: `---\nname: other\ndescription: At ${String(n)}.\n---\nz\n` }),
    ],
    [
      'POST',
      '/skills/from-tools',
      (n) => ({ toolIds: [toolId], name: `Draft ${String(n)}`, starterWorkflow: true }),
    ],
    ['PATCH', `/categories/${categoryId}`, () => ({ categoryDesc: 'At the desk.' })],
    ['PUT', `/endpoints/${endpointId}/taxonomy`, () => ({ tagIds: [] })],
    ['POST', `/workflows/${wfDefId}/publish`],
    ['POST', `/workflows/${wfDefId}/deprecate`],
    ['DELETE', `/tags/${tagId}`],
    ['DELETE', `${agent}/skills/${skillId}`],
    ['PUT', `${agent}/skills/${skillId}`, (n) => ({ priority: n })],
  ];
}
