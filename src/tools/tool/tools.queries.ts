import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { cutReferences, fieldsOf } from '../../endpoints/shared.js';
import { referencesSeen } from '../../endpoints/public.js';
import { refusalsOf, type ScopeFacts } from '../../formats/shared.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { listPage } from '../../platform/database/page.js';
import { pick } from '../../platform/records/fields.js';
import { withoutAddresses } from '../../platform/validation/untrusted-text.js';
import { taxonomyColumns } from '../../taxonomy/public.js';
import { judgedDefinition, judgedDefinitions, type JudgedDefinition } from './judged-definitions.lookup.js';
import { listedTool, type ListedTool, type ToolAnswer } from './tool-answers.schemas.js';
import type { ToolParam } from '../model/tool-params.js';
import type { VersionAbout } from '../model/version.events.js';
import type { ToolListQuery } from './tool.schemas.js';
import { filteredTools, readTools, toolsFor } from './tools.filter.js';
import type { ToolRow } from './tools.row.js';

/** What lists show. @param tools table or view @param about SQL of what its spec says to people */
const listedColumns = (
  tools: string,
  about: string,
): string => `tool_id AS "toolId", name, description, version, implementation_type AS "implementationType",
  endpoint_id AS "endpointId", endpoint_active AND coalesce((
    SELECT v.active FROM api_version_read v WHERE v.host_id = ${tools}.host_id AND v.api_version_id = ${tools}.api_version_id
  ), true) AS "endpointActive", api_id AS "apiId", api_version_id AS "apiVersionId", service_id AS "serviceId",
  env_tag AS "envTag", source_protocol AS "sourceProtocol", capability_ref AS "capabilityRef",
  lifecycle_status AS "lifecycleStatus", routing_domain AS domain, semantic_namespace AS "semanticNamespace",
  sensitivity_tier AS "sensitivityTier", semantic_weight AS "semanticWeight", target_personas AS "targetPersonas",
  ${taxonomyColumns('tool', tools, 'tool_id')}, category, change IS NOT NULL AS changed, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('version', v.version, 'state', v.state)
                              ORDER BY version_key(v.version) COLLATE "C" DESC), '[]')
    FROM tool_version_t v
    WHERE v.host_id = ${tools}.host_id AND v.tool_id = ${tools}.tool_id AND v.state IN ('draft', 'in_review')
  ) AS "inReview", (
    SELECT ${about} FROM tool_about_read a WHERE a.host_id = ${tools}.host_id AND a.tool_id = ${tools}.tool_id
  ) AS about, active,
  aggregate_version AS "aggregateVersion", position, update_ts AS "updateTs", update_user AS "updateUser"`;

export async function listTools(
  sql: Sql,
  visibility: Visibility,
  { limit, cursor, sort, active, ...facts }: ToolListQuery,
): Promise<{ items: ListedTool[]; nextCursor?: string }> {
  const { from, where } = filteredTools(visibility, {
    ...facts,
    ...(active !== 'all' && { active: active === 'true' }),
  });
  const select = `${listedColumns(toolsFor(visibility), isNarrowed(visibility) ? 'NULL::jsonb' : "a.about - 'examples'")}, tool_id`;
  const list = ['tools', active, Object.entries(facts).sort()];
  const request = { select, from, where, list, text: 'name', id: 'tool_id', limit, cursor, sort };
  const { rows, ...next } = await listPage<ListedRow>(sql, request);
  const narrowed = isNarrowed(visibility);
  // What agents are given, people look after.
  const judged = narrowed ? undefined : await judgedDefinitions(sql, visibility.hostId, rows);
  const items = rows.map((row) => ({ ...listed(row, narrowed), ...shown(judged?.get(row.toolId)) }));
  return { items, ...next };
}

/** What of a tool's endpoint is shown with it: its scopes, and its answers where the tool says nothing else. */
const besides = {
  tool_t:
    'SELECT response_schema, scopes FROM tool_read r WHERE r.host_id = tool_t.host_id AND r.tool_id = tool_t.tool_id',
  tool_redacted_read: `SELECT CASE WHEN t.approved THEN coalesce(t.response_schema, (SELECT e.response_schema FROM endpoint_read e
      WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id)) END AS response_schema,
    coalesce((SELECT e.scopes FROM endpoint_redacted_read e WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id), '[]') AS scopes
    FROM (SELECT tool_redacted_read.*) t`,
} as const;

/** Throws NotFound. */
export async function getTool(sql: Sql, visibility: Visibility, toolId: string): Promise<ToolAnswer> {
  const { from, where } = readTools(visibility);
  where.add('tool_id = ?', toolId);
  const narrowed = isNarrowed(visibility);
  const name = toolsFor(visibility);
  const [row] = await sql.query<ToolRow & ListedRow & { scopes: ScopeFacts[][] }>(
    `SELECT ${name}.*, ${listedColumns(name, narrowed ? 'NULL::jsonb' : 'a.about')}, r.response_schema, r.scopes
     FROM ${from}, LATERAL (${besides[name]}) r ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('tool', toolId);
  const { tool_metadata: metadata, words, api_version_id: apiVersionId } = row;
  const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata, words]);
  const given = { name: row.name, description: row.description, inputSchema: row.input_schema };
  return {
    ...listed(row, narrowed),
    ...shown(narrowed ? undefined : judgedDefinition(given)),
    refusals: narrowed ? [] : refusalsOf(given).map((each) => ({ ...each })),
    implementationClass: row.implementation_class,
    scriptContent: row.script_content,
    inputSchema: row.input_schema,
    responseSchema: row.response_schema,
    params: [...row.params],
    toolMetadata: narrowed ? cutReferences(metadata, isSeen) : metadata,
    beneath: narrowed
      ? withoutAddresses(cutReferences({ ...words, description: row.description }, isSeen))
      : words,
    provenance: Object.fromEntries([...fieldsOf(row.overrides).keys()].map((field) => [field, 'operator'])),
    operatorDescription: narrowed ? null : (row.overrides.operatorDescription ?? null),
    examplePrompts: [...row.example_prompts],
    specExamples: row.about?.examples ?? [],
    change: narrowed ? null : row.change,
    scopes: row.scopes,
  };
}

/** The params of a tool: the properties of its input schema. Throws NotFound. */
export async function toolParams(
  sql: Sql,
  visibility: Visibility,
  toolId: string,
): Promise<{ items: readonly ToolParam[] }> {
  const { from, where } = readTools(visibility);
  where.add('tool_id = ?', toolId);
  const [row] = await sql.query<Pick<ToolRow, 'params'>>(
    `SELECT params FROM ${from} ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('tool', toolId);
  return { items: row.params };
}

interface ListedRow extends ListedTool {
  /** Null to narrowed tokens; without examples in a list. */
  readonly about: VersionAbout | null;
}

function listed(row: ListedRow, narrowed: boolean): ListedTool {
  const { title = null, owner = null } = row.about ?? {};
  return { ...pick(row, listedTool.properties), title, owner, ...(narrowed && { inReview: [] }) };
}

function shown(judged: JudgedDefinition | undefined): Pick<ListedTool, 'refusedBy' | 'definitionLength'> {
  if (judged === undefined) return { refusedBy: [], definitionLength: null };
  return { refusedBy: [...judged.refusedBy], definitionLength: judged.definitionLength };
}
