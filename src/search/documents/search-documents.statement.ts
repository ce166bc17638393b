/**
 * $1 host, $2 ids: reads the active ones. The ids go through a subquery, so that the planner estimates ten of them
 * and uses the key, whatever it thinks of tables that have just grown.
 */
const among = (id: string): string => `${id} = ANY(ARRAY(SELECT unnest($2::uuid[])))`;

/**
 * Tags and categories as `x`, materialized: joined as a view they would be computed for every row of the host, where
 * the planner takes a table that has just grown for an empty one.
 */
const classes = (type: string): string => `
WITH x AS MATERIALIZED (
  SELECT entity_id, tags, categories FROM taxonomy_read
   WHERE host_id = $1 AND entity_type = '${type}' AND ${among('entity_id')}
)`;

export const toolSources = `${classes('tool')}
SELECT t.tool_id, t.name, t.description, t.implementation_type, t.input_schema, t.example_prompts, t.document_prompts, t.service_id,
       t.env_tag, t.source_protocol, t.lifecycle_status, t.tool_metadata, e.api_id, e.api_version_id, e.endpoint, e.endpoint_name,
       e.endpoint_path, CASE WHEN t.approved THEN r.lightapi END AS lightapi, x.tags, x.categories
  FROM tool_read t
  LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
  LEFT JOIN endpoint_redacted_read r ON r.host_id = t.host_id AND r.endpoint_id = t.endpoint_id
  LEFT JOIN x ON x.entity_id = t.tool_id
 WHERE t.host_id = $1 AND ${among('t.tool_id')} AND t.active AND coalesce(e.active, t.endpoint_id IS NULL)`;

export const endpointSources = `${classes('endpoint')}
SELECT e.endpoint_id, e.endpoint_name, e.endpoint_desc AS description, e.endpoint_path, e.tool_schema, e.service_id, e.env_tag,
       e.source_protocol, e.lifecycle_status, e.tool_metadata, e.api_id, e.api_version_id, e.endpoint, e.lightapi, x.tags, x.categories
  FROM endpoint_redacted_read e
  JOIN endpoint_read r ON r.host_id = e.host_id AND r.endpoint_id = e.endpoint_id
  LEFT JOIN x ON x.entity_id = e.endpoint_id
 WHERE e.host_id = $1 AND ${among('e.endpoint_id')} AND r.active`;

export const skillSources = `${classes('skill')}
SELECT s.skill_id, s.name, s.description, s.content_markdown, x.tags, x.categories,
       ARRAY(SELECT d.depends_on_skill_id FROM skill_dependency_read d
              WHERE d.host_id = s.host_id AND d.skill_id = s.skill_id AND d.active ORDER BY 1) AS depends_on
  FROM skill_read s
  LEFT JOIN x ON x.entity_id = s.skill_id
 WHERE s.host_id = $1 AND ${among('s.skill_id')} AND s.active`;

/**
 * $1 host, $2 ids, $3 the same ids as texts, for APIs: the records of each kind whose documents are made from one of the
 * records named, in a row for each kind.
 */
export const touchedBy = `
WITH versions AS (
  SELECT api_version_id FROM api_version_read
   WHERE host_id = $1 AND (${among('api_version_id')} OR api_id = ANY($3::text[]))
), endpoints AS (
  SELECT endpoint_id FROM endpoint_read WHERE host_id = $1 AND ${among('endpoint_id')}
  UNION
  SELECT endpoint_id FROM endpoint_read
   WHERE host_id = $1 AND api_version_id = ANY(ARRAY(SELECT api_version_id FROM versions))
), touched (kind, id) AS (
  SELECT 'endpoint', endpoint_id FROM endpoints
  UNION
  SELECT 'endpoint', endpoint_id FROM tool_read WHERE host_id = $1 AND ${among('tool_id')} AND endpoint_id IS NOT NULL
  UNION
  SELECT 'tool', tool_id FROM tool_read WHERE host_id = $1 AND ${among('tool_id')}
  UNION
  SELECT 'tool', tool_id FROM tool_read
   WHERE host_id = $1 AND endpoint_id = ANY(ARRAY(SELECT endpoint_id FROM endpoints))
  UNION
  SELECT 'tool', tool_id FROM tool_read
   WHERE host_id = $1 AND call_endpoints <> '{}' AND call_endpoints && ARRAY(SELECT endpoint_id FROM endpoints)
  UNION
  SELECT 'skill', skill_id FROM skill_read WHERE host_id = $1 AND ${among('skill_id')}
  UNION
  SELECT entity_type, entity_id FROM entity_category_read WHERE host_id = $1 AND ${among('category_id')}
  UNION
  SELECT entity_type, entity_id FROM entity_tag_read WHERE host_id = $1 AND ${among('tag_id')}
)
SELECT kind, array_agg(id) AS ids FROM touched GROUP BY kind`;

/** $1 host, $2 kind, $3 ids: deletes their documents, and returns their words. */
export const removeDocuments = `
DELETE FROM search_document_t WHERE host_id = $1 AND kind = $2 AND entity_id = ANY($3::uuid[]) RETURNING words, service_id, env_tag`;

/** $1 host, $2 JSON list of rows. */
export const insertDocuments = `
INSERT INTO search_document_t (
       host_id, kind, entity_id, name, description, service_id, env_tag, sensitivity_tier, domain,
       semantic_namespace, source_protocol, implementation_type, lifecycle_status, api_id, api_version_id,
       target_personas, tags, categories, required_context, semantic_weight, read_only, destructive,
       endpoint, related, words, terms, length)
SELECT $1::uuid, r.kind, r.entity_id, r.name, r.description, r.service_id, r.env_tag, r.sensitivity_tier, r.domain,
       r.semantic_namespace, r.source_protocol, r.implementation_type, r.lifecycle_status, r.api_id, r.api_version_id,
       r.target_personas, r.tags, r.categories, r.required_context, r.semantic_weight, r.read_only, r.destructive,
       r.endpoint, r.related, r.words, r.terms, r.length
  FROM json_populate_recordset(NULL::search_document_t, $2::json) r`;

/** $1 host, $2 kind, $3 ids, $4 position: notes that their documents are no longer what they were. */
export const noteChanges = `
INSERT INTO search_change_t (host_id, kind, entity_id, position)
SELECT $1, $2, entity_id, $4 FROM unnest($3::uuid[]) AS changed(entity_id) ORDER BY entity_id
ON CONFLICT (host_id, kind, entity_id) DO UPDATE SET position = EXCLUDED.position`;

/** $1 host, $2 kind, $3 words, $4 services, $5 environments, $6 differences: adds to the counts. */
export const countTerms = `
INSERT INTO search_term_t AS known (host_id, kind, term, service_id, env_tag, documents)
SELECT $1, $2, term, service_id, env_tag, more
  FROM unnest($3::text[], $4::text[], $5::text[], $6::int[]) counted(term, service_id, env_tag, more)
 ORDER BY term COLLATE "C", service_id COLLATE "C", env_tag COLLATE "C"
ON CONFLICT (host_id, kind, term, service_id, env_tag) DO UPDATE SET documents = known.documents + EXCLUDED.documents`;

export const forgetTerms = `
DELETE FROM search_term_t WHERE host_id = $1 AND kind = $2 AND term = ANY($3::text[]) AND documents <= 0`;
