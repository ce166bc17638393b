import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import {
  anAgent,
  anAssignment,
  anEndpoint,
  aSkill,
  aTool,
  bytesOfRows,
  catalogOf,
  rowsOf,
} from '../../test/catalog-rows.js';
import { exceeds, tiers } from '../platform/auth/sensitivity-tier.js';
import { catalogAnswer } from './effective-catalog.schemas.js';
import type { RequestLimits } from './disclosure/judgement.js';
import type { CatalogRows, EndpointRow, LinkRow, ToolRow } from './rows.js';
import { many } from '../../test/soak.js';

/** Ids and names that are found nowhere by chance, none a part of another. */
const idOf = (kind: string, n: number): string =>
  `0000${kind}000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const markOf = (kind: string, n: number): string => `${kind}-${String(n).padStart(3, '0')}-mark`;
const keyOf = (n: number): string => `/${markOf('path', n)}@get`;

const flag = fc.boolean();
const often = fc.integer({ min: 0, max: 9 }).map((n) => n > 0);
const domain = fc.constantFrom('finance', 'finance.accounts', 'hr', null);
const reference = fc.integer({ min: 0, max: 11 }).map(keyOf);

const tool = (n: number): fc.Arbitrary<ToolRow> =>
  fc
    .record({
      active: often,
      sensitivity_tier: fc.constantFrom(...tiers),
      lifecycle_status: fc.constantFrom('active', 'active', 'deprecated', 'retired'),
      target_personas: fc.constantFrom([], [], ['teller'], ['auditor']),
      routing_domain: domain,
      tool_metadata: fc.record({
        routing: fc.record({
          dependencies: fc.array(fc.record({ endpoint: reference }), { maxLength: 3 }),
          fallbackEndpoint: reference,
          contextRequirements: fc.record({ requiredContext: fc.subarray(['host_id', 'accountNo']) }),
        }),
        safety: fc.record({ readOnly: flag, destructive: flag, humanApprovalRequired: flag }),
      }),
    })
    .map((some) => ({
      ...aTool,
      ...some,
      tool_id: idOf('e', n),
      endpoint_id: idOf('c', n),
      name: markOf('name', n),
      description: markOf('description', n),
      example_prompts: [markOf('prompt', n)],
    }));

const endpoint = (n: number): fc.Arbitrary<EndpointRow> =>
  fc.record({ active: often, env_tag: fc.constantFrom('dev', 'dev', null, 'prod') }).map((some) => ({
    ...anEndpoint,
    ...some,
    endpoint_id: idOf('c', n),
    endpoint: keyOf(n),
    endpoint_path: keyOf(n),
    endpoint_name: markOf('endpoint', n),
  }));

const link: fc.Arbitrary<LinkRow> = fc.record({
  skill_id: fc.integer({ min: 0, max: 3 }).map((n) => idOf('b', n)),
  tool_id: fc.integer({ min: 0, max: 11 }).map((n) => idOf('e', n)),
  access_level: fc.constantFrom('read', 'write', 'execute'),
  range: fc.constant(null),
  config: fc.constantFrom({}, {}, { maxSensitivityTier: 'internal' }, { approvalWorkflow: 'ops/approve' }),
});

const count = 12;
const rows: fc.Arbitrary<CatalogRows> = fc
  .record({
    tools: fc.tuple(...Array.from({ length: count }, (_, n) => tool(n))),
    endpoints: fc.tuple(...Array.from({ length: count }, (_, n) => endpoint(n))),
    links: fc.uniqueArray(link, { maxLength: 30, selector: (l) => `${l.skill_id} ${l.tool_id}` }),
    skills: fc
      .tuple(often, often, often, often)
      .map((active) =>
        active.map((active, n) => ({ ...aSkill, active, skill_id: idOf('b', n), name: markOf('skill', n) })),
      ),
    assignments: fc.tuple(flag, flag, flag, flag).map((equal) =>
      equal.map((equal, n) => ({
        ...anAssignment,
        skill_id: idOf('b', n),
        priority: equal ? 0 : n,
        config: {},
      })),
    ),
    approvals: fc.constantFrom([], [{ wf_def_id: 'w', namespace: 'ops', name: 'approve' }]),
    agent: fc.record({
      max_sensitivity_tier: fc.constantFrom(...tiers, null),
      domains: fc.constantFrom([], [], ['finance']),
    }),
  })
  .map(({ agent, ...some }) => rowsOf({ ...some, agent: { ...anAgent, ...agent } }));

const limits: fc.Arbitrary<RequestLimits> = fc.record({
  tokenTier: fc.constantFrom(...tiers, undefined),
  context: fc.constantFrom(undefined, ['host_id'], ['host_id', 'accountNo']),
});

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
const conforms = ajv.compile(catalogAnswer);

it('a tool that is withheld leaves no trace', () => {
  fc.assert(
    fc.property(rows, limits, flag, (rows, terms, examples) => {
      const catalog = catalogOf(rows, terms);
      const text = bytesOfRows(rows, { withheld: false, examples }, terms).bytes.toString();
      const disclosed = new Set(
        catalog.content.skills.flatMap(({ tools }) => tools.map(({ toolId }) => toolId)),
      );
      rows.tools.forEach((tool, n) => {
        if (disclosed.has(tool.tool_id)) return;
        const traces = ['name', 'description', 'prompt', 'endpoint', 'text', 'path'].map((kind) =>
          markOf(kind, n),
        );
        for (const trace of [idOf('e', n), idOf('c', n), ...traces]) expect(text).not.toContain(trace);
      });
    }),
    many(100),
  );
});

it('every offer is either disclosed or withheld with a reason', () => {
  fc.assert(
    fc.property(rows, limits, (rows, terms) => {
      const { content, withheld, disclosure } = catalogOf(rows, terms);
      const given = content.skills.flatMap(({ skillId, tools }) =>
        tools.map(({ toolId }) => `${skillId} ${toolId}`),
      );
      const kept = withheld.flatMap(({ skillId, toolId }) =>
        toolId === undefined ? [] : [`${skillId} ${toolId}`],
      );
      const { tokenTier = 'restricted' } = terms;
      const beyond = new Set(
        rows.tools
          .filter(({ sensitivity_tier: tier }) => exceeds(tier, tokenTier))
          .map(({ tool_id }) => tool_id),
      );
      const within = rows.links.filter(({ tool_id }) => !beyond.has(tool_id));
      expect([...given, ...kept].sort()).toEqual(within.map((l) => `${l.skill_id} ${l.tool_id}`).sort());
      expect(given.length + disclosure.blocked.length).toBe(rows.links.length);
      if (beyond.size > 0) return;
      // A skill of whose tools there is nothing to say is spoken of itself.
      const spokenOf = new Set([...content.skills, ...withheld].map(({ skillId }) => skillId));
      for (const { skill_id: skillId } of rows.assignments) expect(spokenOf).toContain(skillId);
    }),
    many(100),
  );
});

it('a lower limit of the token never discloses more', () => {
  fc.assert(
    fc.property(rows, limits, (rows, terms) => {
      const idsAt = (tokenTier: RequestLimits['tokenTier']): string[] =>
        catalogOf(rows, { ...terms, tokenTier }).content.skills.flatMap(({ tools }) =>
          tools.map(({ toolId }) => toolId),
        );
      const ladder = tiers.map(idsAt);
      for (const [n, lower] of ladder.slice(0, -1).entries()) {
        expect(ladder[n + 1]).toEqual(expect.arrayContaining(lower));
      }
    }),
    many(100),
  );
});

it('the same rows in any order give the same bytes', () => {
  const shuffled = <T>(list: readonly T[]): fc.Arbitrary<T[]> =>
    fc.shuffledSubarray([...list], { minLength: list.length });
  const twice = rows.chain((rows) =>
    fc.record({
      one: fc.constant(rows),
      other: fc
        .record({
          assignments: shuffled(rows.assignments),
          skills: shuffled(rows.skills),
          links: shuffled(rows.links),
          tools: shuffled(rows.tools),
          endpoints: shuffled(rows.endpoints),
        })
        .map((lists) => ({ ...rows, ...lists })),
    }),
  );
  fc.assert(
    fc.property(twice, limits, ({ one, other }, terms) => {
      const bytesOf = (rows: CatalogRows): string =>
        bytesOfRows(rows, { withheld: true, examples: true }, terms).bytes.toString();
      expect(bytesOf(other)).toBe(bytesOf(one));
    }),
    many(100),
  );
});

it('the document has the shape that the contract promises', () => {
  fc.assert(
    fc.property(rows, limits, flag, flag, (rows, terms, withheld, examples) => {
      const { bytes } = bytesOfRows(rows, { withheld, examples }, terms);
      conforms(JSON.parse(bytes.toString()));
      expect(conforms.errors).toBeNull();
    }),
    many(100),
  );
});
