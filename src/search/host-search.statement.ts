import { candidateColumns } from './candidate-rows.js';

/** Best documents by their words alone: the ranking looks at these more closely. */
export const mostCandidates = 150;
/** Rows that the words of one prompt may lead to: the most frequent of them are left to the ranking. */
export const mostRows = 20_000;

/**
 * $n = `next`: terms, their weights. The worth of a word in a document is that of BM25 as far as rows tell: more in
 * the name, less in a long text.
 */
export function candidateStatement(where: string, next: number): string {
  const [terms, weights] = [`$${String(next)}::text[]`, `$${String(next + 1)}::float8[]`];
  return `
WITH found AS MATERIALIZED (
  SELECT d.kind, d.entity_id, sum(wanted.weight * d.worth) AS worth
    FROM unnest(${terms}, ${weights}) AS wanted(term, weight)
   CROSS JOIN LATERAL (
     SELECT d.kind, d.entity_id,
            CASE WHEN d.title @> ARRAY[wanted.term] THEN 4 ELSE 1.5 END / (1.2 + 0.5 + 0.01 * d.length) AS worth
       FROM search_document_t d ${where} AND d.terms @> ARRAY[wanted.term]) d
   GROUP BY d.kind, d.entity_id
   ORDER BY worth DESC, d.entity_id
   LIMIT ${String(mostCandidates)}
)
SELECT ${candidateColumns}
  FROM found JOIN search_document_t d
    ON d.host_id = $1 AND d.kind = found.kind AND d.entity_id = found.entity_id`;
}

/** $1 host, $2 kinds, $3 words: how often each stands in the host's documents. The empty word counts them. */
export const frequencyStatement = `
SELECT kind, term, documents FROM search_term_t WHERE host_id = $1 AND kind = ANY($2::text[]) AND term = ANY($3::text[])`;

/** $1 host, $2 kinds, $3 words that no document holds: what looks like them. */
export const spellingStatement = `
SELECT DISTINCT near.term
  FROM unnest($3::text[]) AS written(term)
 CROSS JOIN LATERAL (
   SELECT t.term FROM search_term_t t
    WHERE t.host_id = $1 AND t.kind = ANY($2::text[]) AND t.term % written.term
    ORDER BY similarity(t.term, written.term) DESC, t.term LIMIT 20) near`;

/** Appended to the conditions of what the asker may see; $n = `next`: words with the host's mark. */
export function countStatement(where: string, next: number): string {
  return `
SELECT d.kind, '' AS term, count(*)::int AS documents FROM search_document_t d ${where} GROUP BY d.kind
UNION ALL
SELECT d.kind, wanted.term, count(*)::int
  FROM unnest($${String(next)}::text[]) AS wanted(term)
 CROSS JOIN LATERAL (SELECT d.kind FROM search_document_t d ${where} AND d.terms @> ARRAY[wanted.term]) d
 GROUP BY d.kind, wanted.term`;
}

/** Appended to the conditions of what the asker may see; $n = `next`: endpoint keys, ids of skills. */
export function relatedStatement(where: string, next: number): string {
  return `
SELECT d.kind, d.entity_id AS id, d.name, d.endpoint FROM search_document_t d ${where}
   AND (d.endpoint = ANY($${String(next)}::text[]) OR (d.kind = 'skill' AND d.entity_id = ANY($${String(next + 1)}::uuid[])))`;
}
