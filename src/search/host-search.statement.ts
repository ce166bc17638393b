import { candidateColumns } from './candidate-rows.js';

/** Best documents by their words alone: the ranking looks at these more closely. */
export const mostCandidates = 150;
/** Rows that one group of words may lead to. */
const mostOfGroup = 1_500;

/**
 * $n = `next`: words, those of one group on a line each; what each group is worth. The worth of a group in a document
 * is that of BM25 as far as rows tell: less in a long text.
 */
export function candidateStatement(where: string, next: number): string {
  const [groups, worths] = [`$${String(next)}::text[]`, `$${String(next + 1)}::float8[]`];
  return `
WITH found AS MATERIALIZED (
  SELECT d.kind, d.entity_id, sum(wanted.worth * d.worth) AS worth
    FROM unnest(${groups}, ${worths}) AS wanted(terms, worth)
   CROSS JOIN LATERAL (
     SELECT d.kind, d.entity_id, 1 / (1.7::float8 + 0.01::float8 * d.length) AS worth
       FROM search_document_t d ${where} AND d.terms @> string_to_array(wanted.terms, E'\\n')
      LIMIT ${String(mostOfGroup)}) d
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
