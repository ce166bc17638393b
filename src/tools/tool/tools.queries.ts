import { NotFound } from '../../eventsourcing/errors.js';
import type { Sql } from '../../eventsourcing/sql.js';
import { cutReferences, fieldsOf } from '../../endpoints/shared.js';
import { referencesSeen } from '../../endpoints/public.js';
import type { ScopeFacts } from '../../formats/shared.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { listPage } from '../../platform/database/page.js';
import { taxonomyColumns, type TaxonomyNames } from '../../taxonomy/public.js';
import type { ListedTool, ToolAnswer } from './tool-answers.schemas.js';
import type { ToolParam } from './tool-params.js';
import type { ToolListQuery } from './tool.schemas.js';
import { toolConditions, visibleTools } from './tools.filter.js';
import type { ToolRow } from './tools.row.js';

const listedColumns = [
  ...(['tool_id', 'name', 'description', 'version', 'implementation_type', 'endpoint_id'] as const),
  ...(['api_id', 'api_version_id', 'service_id', 'env_tag', 'source_protocol', 'capability_ref'] as const),
  ...([
    'lifecycle_status',
    'routing_domain',
    'semantic_namespace',
    'sensitivity_tier',
    'semantic_weight',
  ] as const),
  ...([
    'target_personas',
    'category',
    'active',
    'aggregate_version',
    'position',
    'update_ts',
    'update_user',
  ] as const),
] as const satisfies readonly (keyof ToolRow)[];
type ListedRow = Pick<ToolRow, (typeof listedColumns)[number]> &
  TaxonomyNames & { readonly changed: boolean; readonly endpoint_offered: boolean };
const derivedColumns = `change IS NOT NULL AS changed, endpoint_active AND coalesce((
    SELECT v.active FROM api_version_read v WHERE v.host_id = tool_t.host_id AND v.api_version_id = tool_t.api_version_id
  ), true) AS endpoint_offered, ${taxonomyColumns('tool', 'tool_t', 'tool_id')}`;

export async function listTools(
  sql: Sql,
  visibility: Visibility,
  { limit, cursor, active, ...facts }: ToolListQuery,
): Promise<{ items: ListedTool[]; nextCursor?: string }> {
  const where = toolConditions(visibility, {
    ...facts,
    ...(active !== 'all' && { active: active === 'true' }),
  });
  const select = `${listedColumns.join(', ')}, ${derivedColumns}`;
  const request = { select, from: 'tool_t', where, text: 'name', id: 'tool_id', limit, cursor };
  const { rows, ...next } = await listPage<ListedRow>(sql, request);
  return { items: rows.map(listed), ...next };
}

/** Throws NotFound. */
export async function getTool(sql: Sql, visibility: Visibility, toolId: string): Promise<ToolAnswer> {
  const where = visibleTools(visibility).add('tool_id = ?', toolId);
  const [row] = await sql.query<ToolRow & ListedRow & { scopes: ScopeFacts[][] }>(
    `SELECT tool_t.*, ${derivedColumns}, r.response_schema, r.scopes
     FROM tool_t, LATERAL (SELECT response_schema, scopes FROM tool_read r
       WHERE r.host_id = tool_t.host_id AND r.tool_id = tool_t.tool_id) r ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('tool', toolId);
  const { tool_metadata: metadata, words, api_version_id: apiVersionId } = row;
  const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata, words]);
  const narrowed = isNarrowed(visibility);
  return {
    ...listed(row),
    implementationClass: row.implementation_class,
    scriptContent: row.script_content,
    inputSchema: row.input_schema,
    responseSchema: row.response_schema,
    params: [...row.params],
    toolMetadata: narrowed ? cutReferences(metadata, isSeen) : metadata,
    beneath: narrowed ? cutReferences({ ...words, description: row.description }, isSeen) : words,
    provenance: Object.fromEntries([...fieldsOf(row.overrides).keys()].map((field) => [field, 'operator'])),
    operatorDescription: narrowed ? null : (row.overrides.operatorDescription ?? null),
    examplePrompts: [...row.example_prompts],
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
  const where = visibleTools(visibility).add('tool_id = ?', toolId);
  const [row] = await sql.query<Pick<ToolRow, 'params'>>(
    `SELECT params FROM tool_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('tool', toolId);
  return { items: row.params };
}

function listed(row: ListedRow): ListedTool {
  return {
    toolId: row.tool_id,
    name: row.name,
    description: row.description,
    version: row.version,
    implementationType: row.implementation_type,
    endpointId: row.endpoint_id,
    endpointActive: row.endpoint_offered,
    apiId: row.api_id,
    apiVersionId: row.api_version_id,
    serviceId: row.service_id,
    envTag: row.env_tag,
    sourceProtocol: row.source_protocol,
    capabilityRef: row.capability_ref,
    lifecycleStatus: row.lifecycle_status,
    domain: row.routing_domain,
    semanticNamespace: row.semantic_namespace,
    sensitivityTier: row.sensitivity_tier,
    semanticWeight: row.semantic_weight,
    targetPersonas: [...row.target_personas],
    categories: row.categories,
    tags: row.tags,
    category: row.category,
    changed: row.changed,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
