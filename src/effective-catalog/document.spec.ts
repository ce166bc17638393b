import {
  aLink,
  anAgent,
  anAssignment,
  anEndpoint,
  aSkill,
  aTool,
  catalogOf,
  rowsOf,
  withMetadata,
} from '../../test/catalog-rows.js';
import type { CatalogRows } from './rows.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';

const terms = {};

/** Skills S0, S1, … and their assignments, each with the one tool. */
function rowsOfSkills(
  ...skills: { id: string; name: string; priority?: number; sequence?: number }[]
): CatalogRows {
  return rowsOf({
    skills: skills.map(({ id, name }) => ({ ...aSkill, skill_id: id, name })),
    links: skills.map(({ id }) => ({ ...aLink, skill_id: id })),
    assignments: skills.map(({ id, priority = 0, sequence = 0 }) => ({
      ...anAssignment,
      skill_id: id,
      priority,
      sequence_id: sequence,
    })),
  });
}

it('leaves out what a script has not', () => {
  const script = { ...aTool, endpoint_id: null, implementation_type: 'python', source_protocol: null };
  const [skill] = catalogOf(rowsOf({ tools: [script], endpoints: [] }), terms).content.skills;
  const written = JSON.parse(JSON.stringify(skill?.tools[0])) as object;
  expect(Object.keys(written)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(endpoint|api|method|path)/)]),
  );
  expect(written).toMatchObject({ name: 'getAccounts', implementationType: 'python' });
});

describe('order', () => {
  it('of skills: sequence, priority descending, name by code point, id', () => {
    const rows = rowsOfSkills(
      { id: '6', name: 'b', sequence: 2 },
      { id: '5', name: '\u{1F600}', priority: 1, sequence: 1 },
      { id: '4', name: '\uFFFD', priority: 1, sequence: 1 },
      { id: '3', name: 'a', priority: 1, sequence: 1 },
      { id: '2', name: 'a', priority: 1, sequence: 1 },
      { id: '1', name: 'z', priority: 2, sequence: 1 },
    );
    expect(catalogOf(rows, terms).content.skills.map(({ skillId }) => skillId)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
  });

  it('of tools: name by code point', () => {
    const tools = [
      { ...aTool, tool_id: '3', name: 'b' },
      { ...aTool, tool_id: '2', name: 'a' },
      { ...aTool, tool_id: '4', name: 'B' },
    ];
    const rows = rowsOf({ tools, links: tools.map(({ tool_id }) => ({ ...aLink, tool_id })) });
    const [skill] = catalogOf(rows, terms).content.skills;
    expect(skill?.tools.map(({ toolId }) => toolId)).toEqual(['4', '2', '3']);
  });
});

describe('a skill is given', () => {
  const idsOf = (rows: CatalogRows): string[] =>
    catalogOf(rows, terms).content.skills.map(({ skillId }) => skillId);

  it('without the tools that a policy withholds', () => {
    const rows = rowsOf({ tools: [{ ...aTool, sensitivity_tier: 'restricted' }] });
    expect(catalogOf(rows, terms).content.skills).toEqual([
      expect.objectContaining({ skillId: aSkill.skill_id, tools: [] }),
    ]);
  });

  it('not while it is inactive', () => {
    expect(idsOf(rowsOf({ skills: [{ ...aSkill, active: false }] }))).toEqual([]);
  });

  it('not while none of its tools is active', () => {
    expect(idsOf(rowsOf({ tools: [{ ...aTool, active: false }] }))).toEqual([]);
    expect(idsOf(rowsOf({ links: [] }))).toEqual([]);
  });

  it('not without a reason, also where no tool is left to have one', () => {
    const reasonsOf = (rows: CatalogRows): unknown =>
      catalogOf(rows, terms).withheld.map(({ skillId, toolId, reason }) => [skillId, toolId, reason]);
    const closed = [{ ...aSkill, active: false }];
    const needs = [{ skill_id: aSkill.skill_id, depends_on_skill_id: 'x', required: true }];
    expect(reasonsOf(rowsOf({ links: [] }))).toEqual([
      [aSkill.skill_id, undefined, 'skill_without_active_tool'],
    ]);
    expect(reasonsOf(rowsOf({ links: [], dependencies: needs }))).toEqual([
      [aSkill.skill_id, undefined, 'skill_dependency_missing'],
    ]);
    expect(reasonsOf(rowsOf({ links: [], dependencies: needs, skills: closed }))).toEqual([
      [aSkill.skill_id, undefined, 'skill_inactive'],
    ]);
    expect(reasonsOf(rowsOf({ tools: [{ ...aTool, active: false }] }))).toEqual([
      [aSkill.skill_id, aTool.tool_id, 'tool_inactive'],
      [aSkill.skill_id, undefined, 'skill_without_active_tool'],
    ]);
    expect(reasonsOf(rowsOf({ skills: closed }))).toEqual([
      [aSkill.skill_id, aTool.tool_id, 'skill_inactive'],
    ]);
  });
});

it('names tags and categories of skills and tools', () => {
  const taxonomies = [
    { entity_id: aSkill.skill_id, tags: ['daily'], categories: ['banking'] },
    { entity_id: aTool.tool_id, tags: ['a', 'b'], categories: [] },
  ];
  expect(catalogOf(rowsOf({ taxonomies }), terms).content.skills).toMatchObject([
    { tags: ['daily'], categories: ['banking'], tools: [{ tags: ['a', 'b'], categories: [] }] },
  ]);
});

it('has every member of routing metadata: what nobody has said is null', () => {
  const silent = { ...withMetadata({}), routing_domain: null, semantic_namespace: null };
  const { content } = catalogOf(rowsOf({ tools: [silent] }), terms);
  expect(JSON.parse(JSON.stringify(content.skills[0]?.tools[0]?.routingMetadata))).toEqual({
    ...{ domain: null, semanticNamespace: null, category: null, semanticDescription: null },
    ...{ semanticKeywords: [], targetPersonas: [], sensitivityTier: expect.any(String), semanticWeight: 1 },
    contextRequirements: { requiredInputs: [], requiredContext: [] },
    ...{ dependencies: [], fallbackEndpoint: null },
  });
});

it('names the workflows of a skill by role, then by name', () => {
  const workflow = {
    skill_id: aSkill.skill_id,
    namespace: 'ops',
    version: '1',
    start_mode: 'agent',
    config: {},
  };
  const workflows = [
    { ...workflow, wf_def_id: '3', name: 'b', workflow_role: 'test' },
    { ...workflow, wf_def_id: '2', name: 'b', workflow_role: 'primary' },
    { ...workflow, wf_def_id: '1', name: 'a', workflow_role: 'test' },
  ];
  expect(catalogOf(rowsOf({ workflows }), terms).content.skills[0]?.workflows).toMatchObject([
    { wfDefId: '2', namespace: 'ops', name: 'b', version: '1', workflowRole: 'primary', startMode: 'agent' },
    { wfDefId: '1' },
    { wfDefId: '3' },
  ]);
});

describe('a skill that depends on others', () => {
  const rows = (required: boolean, other: { active: boolean; assigned: boolean }): CatalogRows => {
    const both = rowsOfSkills({ id: 'a', name: 'a' }, { id: 'b', name: 'b' });
    return {
      ...both,
      skills: both.skills
        .map((skill) => (skill.skill_id === 'b' ? { ...skill, active: other.active } : skill))
        .filter(({ skill_id }) => skill_id === 'a' || other.assigned),
      assignments: both.assignments.filter(({ skill_id }) => skill_id === 'a' || other.assigned),
      dependencies: [{ skill_id: 'a', depends_on_skill_id: 'b', required }],
    };
  };
  const given = (catalog: CatalogRows): unknown =>
    catalogOf(catalog, terms).content.skills.map(({ skillId, dependsOn }) => [skillId, dependsOn]);

  it('names those that are given too', () => {
    expect(given(rows(true, { active: true, assigned: true }))).toEqual([
      ['a', ['b']],
      ['b', []],
    ]);
  });

  it.each([
    ['inactive', { active: false, assigned: true }],
    ['not assigned', { active: true, assigned: false }],
  ])(
    'is withheld with its tools where one that it requires is %s, and names none where it is not required',
    (_, other) => {
      expect(given(rows(true, other))).toEqual([]);
      expect(catalogOf(rows(true, other), terms).withheld).toContainEqual(
        expect.objectContaining({ skillId: 'a', reason: 'skill_dependency_missing' }),
      );
      expect(given(rows(false, other))).toEqual([['a', []]]);
    },
  );
});

describe('references to endpoints', () => {
  const routing = {
    dependencies: [
      { endpoint: '/b@get', relation: 'follows', note: 'x' },
      { endpoint: '/gone@get' },
      'odd',
      null,
    ],
    fallbackEndpoint: '/b@get',
  };
  const other = { ...aTool, tool_id: 'b', name: 'b', endpoint_id: 'eb' };
  const rows = (hidden: boolean): CatalogRows =>
    rowsOf({
      tools: [withMetadata({ routing }), { ...other, sensitivity_tier: hidden ? 'restricted' : 'public' }],
      endpoints: [anEndpoint, { ...anEndpoint, endpoint_id: 'eb', endpoint: '/b@get' }],
      links: [aLink, { ...aLink, tool_id: 'b' }],
    });
  const metadataOf = (rows: CatalogRows): unknown =>
    catalogOf(rows, terms).content.skills[0]?.tools.find(({ toolId }) => toolId === aTool.tool_id)
      ?.routingMetadata;

  it('are those that the catalog discloses', () => {
    expect(metadataOf(rows(false))).toMatchObject({
      dependencies: [{ endpoint: '/b@get', relation: 'follows' }],
      fallbackEndpoint: '/b@get',
    });
  });

  it('are cut where the tool behind them is withheld', () => {
    expect(metadataOf(rows(true))).toMatchObject({ dependencies: [], fallbackEndpoint: null });
  });
});

it('says of each skill which tools it withholds, and why', () => {
  const { withheld } = catalogOf(rowsOf({ agent: { ...anAgent, domains: ['hr'] } }), terms);
  expect(withheld).toEqual([
    {
      skillId: aSkill.skill_id,
      toolId: aTool.tool_id,
      toolName: 'getAccounts',
      reason: 'domain_mismatch',
      detail: "The tool's domain is finance.accounts, admitted are hr.",
    },
  ]);
});

describe('gateway_will_block', () => {
  const approvals = [{ wf_def_id: 'w', namespace: 'ops', name: 'approve' }];
  const diagnosticsOf = (config: Record<string, unknown>, approvalWorkflow?: string): readonly object[] => {
    const safety = { destructive: true, ...(approvalWorkflow !== undefined && { approvalWorkflow }) };
    const rows = rowsOf({ tools: [withMetadata({ safety })], links: [{ ...aLink, config }], approvals });
    return catalogOf(rows, terms).diagnostics;
  };

  it('marks a tool that is approved by its link alone', () => {
    const diagnostic = { toolId: aTool.tool_id, toolName: 'getAccounts', code: 'gateway_will_block' };
    expect(diagnosticsOf({ approvalWorkflow: 'ops/approve' })).toEqual([diagnostic]);
    expect(diagnosticsOf({ approvalWorkflow: 'ops/approve' }, 'ops/draft')).toEqual([diagnostic]);
  });

  it('does not mark one that is approved by itself, nor one that is withheld', () => {
    expect(diagnosticsOf({}, 'ops/approve')).toEqual([]);
    expect(diagnosticsOf({})).toEqual([]);
  });
});

it('names a tool’s approval workflow only where it approves: a gateway takes it for one', () => {
  const approvals = [{ wf_def_id: 'w', namespace: 'ops', name: 'approve' }];
  const shown = (approvalWorkflow: string) => {
    const tools = [withMetadata({ safety: { approvalWorkflow } })];
    const { content } = catalogOf(rowsOf({ tools, approvals }), terms);
    return content.skills[0]?.tools[0]?.safety.approvalWorkflow;
  };
  expect([shown('ops/approve'), shown('w'), shown('ops/draft')]).toEqual(['ops/approve', 'w', undefined]);
});

it('gives one tool of a name: a call by name does not tell two apart', () => {
  const tools = [
    aTool,
    { ...aTool, tool_id: 'f', version: '2.0.0' },
    { ...aTool, tool_id: 'g', name: 'other' },
  ];
  const links = tools.map(({ tool_id }) => ({ ...aLink, tool_id }));
  const { content, withheld, diagnostics } = catalogOf(rowsOf({ tools, links }), terms);
  const given = content.skills.flatMap((skill) => skill.tools.map(({ toolId }) => toolId));
  expect(given.toSorted()).toEqual([aTool.tool_id, 'g'].toSorted());
  expect(withheld).toMatchObject([{ toolId: 'f', toolName: aTool.name, reason: 'name_shared' }]);
  expect(diagnostics).toEqual([]);
});

it('reads odd metadata as not said', () => {
  const routing = {
    semanticKeywords: 7,
    semanticWeight: 'much',
    contextRequirements: ['x'],
    dependencies: {},
    fallbackEndpoint: {},
  };
  const [skill] = catalogOf(rowsOf({ tools: [withMetadata({ routing })] }), terms).content.skills;
  expect(skill?.tools[0]?.routingMetadata).toMatchObject({
    semanticKeywords: [],
    semanticWeight: 1,
    dependencies: [],
  });
});

describe('within a skill that says something of its own of a tool', () => {
  const lightapi = { agent: { skill: { examples: ['show accounts', 'which accounts are there?'] } } };
  const elsewhere = { ...aSkill, skill_id: 's' };
  const rowsWith = (config: Record<string, unknown>): CatalogRows =>
    rowsOf({
      endpoints: [{ ...anEndpoint, lightapi }],
      skills: [aSkill, elsewhere],
      assignments: [anAssignment, { ...anAssignment, skill_id: 's', sequence_id: 1 }],
      links: [
        { ...aLink, config },
        { ...aLink, skill_id: 's' },
      ],
    });
  const promptsIn = (config: Record<string, unknown>): unknown =>
    catalogOf(rowsWith(config)).shown.skills.map(({ tools }) => tools[0]?.examplePrompts);

  it('its description stands in place of the tool’s, there alone', () => {
    const { skills } = catalogOf(rowsWith({ description: 'Only current ones.' }), {}).content;
    expect(skills.map(({ tools }) => tools[0]?.description)).toEqual([
      'Only current ones.',
      aTool.description,
    ]);
  });

  it('its examples stand in place of those of operators and of LightAPI, there alone', () => {
    const own = ['which accounts are there?', 'show accounts'];
    expect(promptsIn({})).toEqual([own, own]);
    expect(promptsIn({ examples: ['my accounts', 'my accounts'] })).toEqual([['my accounts'], own]);
    expect(promptsIn({ examples: [] })).toEqual([[], own]);
  });
});

it('cuts references to what their own API version offers; where it offers none, to what any other does', () => {
  const [mine, other] = ['0d000000-0000-7000-8000-000000000001', '0d000000-0000-7000-8000-000000000002'];
  const endpoint = (id: string, api_version_id: string, key: string) => ({
    ...{ ...anEndpoint, endpoint_id: id, api_version_id, endpoint: key },
  });
  const tool = (id: string, sensitivity_tier: Tier = 'internal') => ({
    ...{ ...aTool, tool_id: id, endpoint_id: id, name: id, sensitivity_tier },
  });
  const dependencies = ['/same@get', '/lone@get'].map((key) => ({ endpoint: key }));
  const routing = { dependencies, fallbackEndpoint: '/same@get' };
  const referring = { ...tool('refers'), tool_metadata: { routing } };
  const rows = (tier: Tier) => {
    const tools = [referring, tool('own', tier), tool('same'), tool('lone')];
    const endpoints = [
      endpoint('refers', mine, '/refers@get'),
      endpoint('own', mine, '/same@get'),
      endpoint('same', other, '/same@get'),
      endpoint('lone', other, '/lone@get'),
    ];
    return rowsOf({ tools, endpoints, links: tools.map(({ tool_id }) => ({ ...aLink, tool_id })) });
  };
  const referencesIn = (tier: Tier) => {
    const tools = catalogOf(rows(tier), terms).content.skills.flatMap((skill) => skill.tools);
    const { dependencies: kept, fallbackEndpoint } =
      tools.find(({ name }) => name === 'refers')?.routingMetadata ?? {};
    return [kept?.map(({ endpoint: key }) => key), fallbackEndpoint];
  };
  expect(referencesIn('internal')).toEqual([['/same@get', '/lone@get'], '/same@get']);
  expect(referencesIn('restricted')).toEqual([['/lone@get'], null]);
});
