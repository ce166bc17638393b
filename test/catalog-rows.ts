import type {
  AgentRow,
  AssignmentRow,
  CatalogRows,
  EndpointRow,
  LinkRow,
  SafetyMetadata,
  SkillRow,
  ToolMetadata,
  ToolRow,
} from '../src/effective-catalog/rows.js';
import { bytesOf, type CatalogBytes } from '../src/effective-catalog/delivery/bytes.js';
import { documentOf, type Wanted } from '../src/effective-catalog/document.js';
import {
  contextOf,
  disclosureOf,
  judge,
  type RequestLimits,
} from '../src/effective-catalog/disclosure/judgement.js';
import { offersOf, type Offer } from '../src/effective-catalog/disclosure/offers.js';

/** Rows of a catalog in which everything is disclosed, for tests that change one thing about them. */

export const anAgent: AgentRow = {
  agent_def_id: '0a000000-0000-7000-8000-000000000001',
  service_id: 'account-agent',
  env_tag: 'dev',
  name: 'Account Agent',
  api_version: '1.0.0',
  model_provider: 'anthropic',
  model_name: null,
  personas: ['teller'],
  max_sensitivity_tier: 'internal',
  domains: [],
  semantic_namespaces: [],
  gateway_ids: [],
  inactive_part: null,
  gated: false,
};

export const aSkill = {
  skill_id: '0b000000-0000-7000-8000-000000000001',
  name: 'Account Management',
  description: 'Look after accounts.',
  content_markdown: 'Prefer read-only tools.',
  version: '1.0.0',
  active: true,
} satisfies Partial<SkillRow> as SkillRow;

export const anAssignment: AssignmentRow = {
  skill_id: aSkill.skill_id,
  config: {},
  priority: 0,
  sequence_id: 0,
};

export const anEndpoint: EndpointRow = {
  endpoint_id: '0c000000-0000-5000-8000-000000000001',
  api_version_id: '0d000000-0000-7000-8000-000000000001',
  api_id: 'accounts',
  api_version: '1.2.0',
  api_type: 'openapi',
  env_tag: 'dev',
  endpoint: '/accounts@get',
  http_method: 'get',
  endpoint_path: '/accounts',
  endpoint_name: 'getAccounts',
  response_schema: { type: 'array' },
  quarantine: false,
  inactive_part: null,
  lightapi: null,
};

export const aTool: ToolRow = {
  tool_id: '0e000000-0000-7000-8000-000000000001',
  endpoint_id: anEndpoint.endpoint_id,
  name: 'getAccounts',
  description: 'Lists the accounts of a customer.',
  version: '1.0.0',
  implementation_type: 'lightapi_endpoint',
  capability_ref: null,
  source_protocol: 'openapi',
  routing_domain: 'finance.accounts',
  semantic_namespace: 'prod.accounts.core',
  sensitivity_tier: 'internal',
  lifecycle_status: 'active',
  target_personas: [],
  tool_metadata: { routing: {}, safety: { readOnly: true, idempotent: true } },
  input_schema: { type: 'object', properties: {} },
  response_schema: null,
  params: [],
  example_prompts: ['which accounts are there?'],
  document_prompts: null,
  change_grade: null,
  quarantine: false,
  approved: true,
  deprecation: null,
  active: true,
  call_endpoints: [],
  call_fault: null,
};

export const aLink: LinkRow = {
  skill_id: aSkill.skill_id,
  tool_id: aTool.tool_id,
  access_level: 'execute',
  range: null,
  config: {},
};

/** The tool with other metadata; members given replace whole parts. */
export function withMetadata(metadata: ToolMetadata, tool: ToolRow = aTool): ToolRow {
  return { ...tool, tool_metadata: { ...tool.tool_metadata, ...metadata } };
}

export function rowsOf(changes: Partial<CatalogRows> = {}): CatalogRows {
  return {
    hostId: '01000000-0000-7000-8000-000000000001',
    agent: anAgent,
    assignments: [anAssignment],
    skills: [aSkill],
    links: [aLink],
    tools: [aTool],
    keptVersions: [],
    endpoints: [anEndpoint],
    dependencies: [],
    exposures: [],
    taxonomies: [],
    workflows: [],
    approvals: [],
    ...changes,
  };
}

/** The one tool, as the one skill offers it. */
export const anOffer: Offer = {
  agent: anAgent,
  assignment: anAssignment,
  skill: aSkill,
  missingSkills: [],
  link: aLink,
  tool: aTool,
  endpoint: anEndpoint,
};

export type Change = (offer: Offer) => Offer;

export function changeTool(change: (tool: ToolRow) => ToolRow): Change {
  return (offer) => ({ ...offer, tool: change(offer.tool) });
}

export function changeSafety(flags: SafetyMetadata): Change {
  return changeTool((tool) => withMetadata({ safety: { ...tool.tool_metadata.safety, ...flags } }, tool));
}

export function changeLink(patch: Partial<LinkRow>): Change {
  return (offer) => ({ ...offer, link: { ...offer.link, ...patch } });
}

/** The catalog of the rows, with all that may be wanted of it. */
export function catalogOf(rows: CatalogRows, limits: RequestLimits = {}) {
  const judged = judge(offersOf(rows), contextOf(rows, limits));
  const { content, shown, beside } = documentOf(rows, judged, { withheld: true, examples: true });
  const { withheld = [], diagnostics = [] } = beside;
  return { content, shown, withheld, diagnostics, disclosure: disclosureOf(judged) };
}

/** The bytes of the rows' catalog. */
export function bytesOfRows(
  rows: CatalogRows,
  wanted: Wanted,
  { version = 1, ...limits }: RequestLimits & { readonly version?: number } = {},
): CatalogBytes {
  const judged = judge(offersOf(rows), contextOf(rows, limits));
  return bytesOf(documentOf(rows, judged, wanted), version, wanted);
}
