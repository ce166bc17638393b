import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { anAgent, anEndpoint, aTool, bytesOfRows, rowsOf } from '../../../test/catalog-rows.js';
import type { Wanted } from '../document.js';
import { catalogExample } from '../effective-catalog.example.js';
import type { CatalogRows } from '../rows.js';

const plain: Wanted = { withheld: false, examples: false };
const renderOf = (rows: CatalogRows, wanted = plain, version = 7) => bytesOfRows(rows, wanted, { version });
const readOf = (bytes: Buffer) => JSON.parse(bytes.toString()) as Record<string, unknown>;
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

it('gives the document that stands as the example', () => {
  const [skill] = catalogExample.skills;
  const [tool] = skill.tools;
  const rows: CatalogRows = {
    hostId: catalogExample.hostId,
    agent: {
      ...anAgent,
      agent_def_id: catalogExample.agentDefId,
      service_id: catalogExample.serviceId,
      env_tag: 'dev',
      name: 'Account Agent',
    },
    assignments: [{ skill_id: skill.skillId, config: {}, priority: 10, sequence_id: 1 }],
    skills: [
      {
        skill_id: skill.skillId,
        name: skill.name,
        description: skill.description,
        content_markdown: skill.contentMarkdown,
        version: '1.0.0',
        active: true,
      },
    ],
    links: [{ skill_id: skill.skillId, tool_id: tool.toolId, access_level: 'read', range: null, config: {} }],
    tools: [
      {
        ...aTool,
        tool_id: tool.toolId,
        endpoint_id: tool.endpointId,
        description: tool.description,
        semantic_namespace: 'prod.accounts',
        tool_metadata: {
          routing: {
            semanticKeywords: tool.routingMetadata.semanticKeywords,
            fallbackEndpoint: '/v1/other@get',
          },
          safety: tool.safety,
        },
        input_schema: tool.inputSchema,
        params: tool.params,
      },
    ],
    endpoints: [
      {
        ...anEndpoint,
        endpoint_id: tool.endpointId,
        api_version_id: tool.apiVersionId,
        endpoint: tool.endpoint,
        endpoint_path: tool.path,
        response_schema: null,
      },
    ],
    keptVersions: [],
    dependencies: [],
    exposures: [],
    taxonomies: [],
    workflows: [],
    approvals: [],
  };
  expect(readOf(renderOf(rows, plain, 42).bytes)).toEqual(catalogExample);
});

it('hashes the canonical JSON of all but version, hash, time to live and what is optional', () => {
  const { bytes, etag } = renderOf(rowsOf());
  const { catalogHash, catalogVersion, ttlSeconds, ...content } = readOf(bytes);
  expect(catalogHash).toBe(sha256(canonicalJson(content)));
  expect(etag).toBe(`"${String(catalogHash)}"`);
  expect({ catalogVersion, ttlSeconds }).toEqual({ catalogVersion: 7, ttlSeconds: 60 });
});

it('the version may grow while the hash stays', () => {
  expect(renderOf(rowsOf(), plain, 8).etag).toBe(renderOf(rowsOf(), plain, 7).etag);
});

it.each<[string, Partial<CatalogRows>]>([
  ['the agent', { agent: { ...anAgent, personas: [] } }],
  ['a tool', { tools: [{ ...aTool, description: 'Other.' }] }],
  ['what is disclosed', { tools: [{ ...aTool, lifecycle_status: 'retired' }] }],
])('the hash changes with %s', (_, changes) => {
  expect(renderOf(rowsOf(changes)).etag).not.toBe(renderOf(rowsOf()).etag);
});

it.each<[string, Wanted]>([
  ['withheld', { ...plain, withheld: true }],
  ['examples', { ...plain, examples: true }],
  ['context', { ...plain, context: [] }],
])('with %s the tag is the hash of the body, and the catalog keeps its own', (_, wanted) => {
  const { bytes, etag } = renderOf(rowsOf(), wanted);
  expect(etag).toBe(`"${sha256(bytes)}"`);
  expect(readOf(bytes)['catalogHash']).toBe(readOf(renderOf(rowsOf()).bytes)['catalogHash']);
});

it('shows withheld tools, diagnostics and example prompts only where they are asked for', () => {
  expect(readOf(renderOf(rowsOf()).bytes)).not.toHaveProperty('withheld');
  expect(readOf(renderOf(rowsOf(), { ...plain, withheld: true }).bytes)).toMatchObject({
    withheld: [],
    diagnostics: [],
  });
  expect(renderOf(rowsOf()).bytes.toString()).not.toContain('examplePrompts');
  expect(readOf(renderOf(rowsOf(), { ...plain, examples: true }).bytes)).toMatchObject({
    skills: [{ tools: [{ examplePrompts: ['which accounts are there?'] }] }],
  });
});
