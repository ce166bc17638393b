import { candidateColumns, cosineColumns } from '../found.js';

/** $1 host, $2 kind, $3 ids, $4 JSON of their sources: deletes the rows of other texts. */
export const forgetSources = `
DELETE FROM search_embedding_t e
 WHERE e.host_id = $1 AND e.kind = $2 AND e.entity_id = ANY($3::uuid[])
   AND NOT EXISTS (SELECT FROM json_to_recordset($4::json) s(entity_id uuid, source_field text, source_hash text)
                    WHERE s.entity_id = e.entity_id AND s.source_field = e.source_field AND s.source_hash = e.source_hash)`;

/** $1 host, $2 kind, $3 JSON of sources, $4 model, $5 dimension: adds new texts, and leaves known ones. */
export const addSources = `
INSERT INTO search_embedding_t (host_id, kind, entity_id, source_field, source_hash, model, dimension, source_text)
SELECT $1, $2, s.entity_id, s.source_field, s.source_hash, $4, $5, s.source_text
  FROM json_to_recordset($3::json) s(entity_id uuid, source_field text, source_hash text, source_text text)
ON CONFLICT DO NOTHING`;

/**
 * $1 model, $2 start of this instance: hosts with texts of other models, and the model that has replaced this one
 * there since, by a newer instance.
 */
export const otherModels = `
SELECT e.host_id, (SELECT m.model FROM search_model_t m
                    WHERE m.host_id = e.host_id AND m.model <> $1 AND m.live_since > $2::timestamptz
                    ORDER BY m.live_since DESC LIMIT 1) AS successor
  FROM (SELECT DISTINCT host_id FROM search_embedding_t WHERE model <> $1) e`;

/** $1 host, $2 follower: keeps the follower from changing texts of the host until the transaction ends. */
export const holdFollower = 'SELECT FROM checkpoint_t WHERE host_id = $1 AND follower = $2 FOR UPDATE';

/** $1 host, $2 model, $3 dimension: adds a row of this model for each text that only others have. */
export const addModel = `
INSERT INTO search_embedding_t (host_id, kind, entity_id, source_field, source_hash, model, dimension, source_text)
SELECT DISTINCT ON (host_id, kind, entity_id, source_field, source_hash)
       host_id, kind, entity_id, source_field, source_hash, $2, $3::int, source_text
  FROM search_embedding_t WHERE host_id = $1 AND model <> $2
ON CONFLICT DO NOTHING`;

/**
 * $1 model, $2 limit, $3 seconds of the lease: claims texts that are due. The lease of an instance that dies runs
 * out; instances skip what others claim.
 */
export const claimDue = `
WITH due AS (
  SELECT host_id, kind, entity_id, model, source_field, source_hash FROM search_embedding_t
   WHERE model = $1 AND status <> 'ready' AND coalesce(not_before, '-infinity') <= now()
   ORDER BY not_before NULLS FIRST LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE search_embedding_t e SET not_before = now() + make_interval(secs => $3), attempts = e.attempts + 1
  FROM due
 WHERE (e.host_id, e.kind, e.entity_id, e.model, e.source_field, e.source_hash)
     = (due.host_id, due.kind, due.entity_id, due.model, due.source_field, due.source_hash)
RETURNING e.host_id, e.kind, e.entity_id, e.source_field, e.source_hash, e.source_text`;

const claimed = `e.host_id = r.host_id AND e.kind = r.kind AND e.entity_id = r.entity_id AND e.model = $1
   AND e.source_field = r.source_field AND e.source_hash = r.source_hash AND e.status <> 'ready'`;
const keys = 'host_id uuid, kind text, entity_id uuid, source_field text, source_hash text';

/** $1 model, $2 JSON of keys with vectors, $3 whether searches walk among the vectors of the model. */
export const storeVectors = `
UPDATE search_embedding_t e
   SET status = 'ready', embedding = r.embedding::vector, walked = $3, embedded_at = now(), error = NULL, refused = false, not_before = NULL
  FROM json_to_recordset($2::json) r(${keys}, embedding text) WHERE ${claimed}`;

/**
 * $1 model, $2 limit: adds vectors to the index that searches walk, which an older instance stored without. Instances
 * skip what others are adding.
 */
export const addToWalks = `
UPDATE search_embedding_t SET walked = true
 WHERE ctid = ANY(ARRAY(SELECT ctid FROM search_embedding_t
                         WHERE model = $1 AND status = 'ready' AND NOT walked LIMIT $2 FOR UPDATE SKIP LOCKED))
RETURNING host_id`;

/**
 * $1 model, $2 JSON of keys, $3 error, $4 whether the text is at fault, $5 least seconds to wait: tried again after
 * 2, 4, 8 … seconds, an hour at most.
 */
export const storeFailure = `
UPDATE search_embedding_t e
   SET status = 'failed', error = $3, refused = $4,
       not_before = now() + make_interval(secs => least(3600, greatest($5::float8, power(2, least(e.attempts, 12)))))
  FROM json_to_recordset($2::json) r(${keys}) WHERE ${claimed}`;

/**
 * $1 model, $2 start of this instance: makes the model live on hosts whose vectors have become complete, but for
 * texts that it refuses. A model that went live after this instance started belongs to a newer one and stays. Vectors
 * are read only where the model is not live yet.
 */
export const goLive = `
INSERT INTO search_model_t (host_id, model)
SELECT h.host_id, $1 FROM host_head_t h
 WHERE NOT EXISTS (SELECT FROM search_model_t m
                    WHERE m.host_id = h.host_id AND (m.model = $1 OR m.live_since > $2::timestamptz))
   AND (SELECT true FROM search_embedding_t e
         WHERE e.host_id = h.host_id AND e.model = $1 AND e.status = 'ready' LIMIT 1)
   AND (SELECT true FROM search_embedding_t e
         WHERE e.host_id = h.host_id AND e.model = $1 AND e.status <> 'ready' AND NOT e.refused LIMIT 1) IS NULL
ON CONFLICT DO NOTHING RETURNING host_id`;

/** $1 hosts, $2 model: deletes the vectors and models that it has replaced. */
export const dropOldVectors = `DELETE FROM search_embedding_t WHERE host_id = ANY($1::uuid[]) AND model <> $2`;
/** $1 host, $2 model. */
export const dropVectors = 'DELETE FROM search_embedding_t WHERE host_id = $1 AND model = $2';
export const dropOldModels = `DELETE FROM search_model_t WHERE host_id = ANY($1::uuid[]) AND model <> $2`;

/** $1 host: the model whose vectors are complete. */
export const liveModel =
  'SELECT model FROM search_model_t WHERE host_id = $1 ORDER BY live_since DESC LIMIT 1';

/** $1 host, $2 model, $3 vector, $4 kinds, $5 ids. */
export const cosinesOf = `
SELECT kind, entity_id, ${cosineColumns('$3')} FROM search_embedding_t e
 WHERE host_id = $1 AND model = $2 AND status = 'ready' AND kind = ANY($4::text[]) AND entity_id = ANY($5::uuid[])
 GROUP BY kind, entity_id`;

/** $1 host, $2 model, $3 vector, $4 kinds, $5 ids, $6 fields, $7 hashes: of the texts named alone. */
export const cosinesOfTexts = `
SELECT kind, entity_id, ${cosineColumns('$3')}
  FROM unnest($4::text[], $5::uuid[], $6::text[], $7::text[]) AS named(kind, entity_id, source_field, source_hash)
  JOIN search_embedding_t e USING (kind, entity_id, source_field, source_hash)
 WHERE host_id = $1 AND model = $2 AND status = 'ready'
 GROUP BY kind, entity_id`;

/** Rows of a filter up to which each is compared: a walk of the index could find none of so few. */
export const fewRows = 5_000;

/** Counts the rows of the conditions up to a limit; $n = next: the limit. */
export function countStatement(where: string, next: number): string {
  return `SELECT count(*)::int AS count FROM (SELECT FROM search_document_t d ${where} LIMIT $${next}) few`;
}

/** Texts that one record may have among the nearest: its own, and examples. */
const textsOfEach = 5;

/**
 * Finds the nearest records; $n = next: model, vector, limit. Exact: compares each row that passes. Else walks the
 * index from near to far, as far as texts are wanted (`hnsw.iterative_scan`).
 */
export function nearStatement(where: string, next: number, exact: boolean): string {
  const [model, vector, limit] = [next, next + 1, next + 2].map((place) => `$${place}`);
  const own = 'e.host_id = d.host_id AND e.kind = d.kind AND e.entity_id = d.entity_id';
  const found = `SELECT ${candidateColumns} FROM near JOIN search_document_t d
    ON d.host_id = $1 AND d.kind = near.kind AND d.entity_id = near.entity_id`;
  if (exact) {
    return `
WITH near AS MATERIALIZED (
  SELECT d.kind, d.entity_id, min(e.embedding <=> ${vector}::vector) AS distance FROM search_document_t d
    JOIN search_embedding_t e ON ${own} AND e.model = ${model} AND e.status = 'ready'
    ${where} GROUP BY d.kind, d.entity_id ORDER BY distance, d.entity_id LIMIT ${limit}
)
${found}`;
  }
  return `
WITH walked AS MATERIALIZED (
  SELECT d.kind, d.entity_id, e.embedding <=> ${vector}::vector AS distance FROM search_embedding_t e
    JOIN search_document_t d ON ${own}
    ${where} AND e.host_id = $1 AND e.model = ${model} AND e.walked
   ORDER BY e.embedding <=> ${vector}::vector LIMIT ${String(textsOfEach)} * ${limit}::int
), near AS (
  SELECT kind, entity_id FROM walked GROUP BY kind, entity_id ORDER BY min(distance), entity_id LIMIT ${limit}
)
${found}`;
}
