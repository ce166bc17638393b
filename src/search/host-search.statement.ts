import type { TermGroup } from './candidate-groups.js';
import { candidateColumns } from './candidate-rows.js';
import type { Kind } from './search-document.js';

/** Best documents by their words alone: the ranking looks at these more closely. */
export const mostCandidates = 150;

/** Documents that hold all of some words: only a function reads their index behind the wall (decision 25). */
const documentsWith = (kinds: number, terms: string): string => `
       (SELECT documents_with($${String(kinds)}::text[], ${terms}) AS place) found JOIN search_document_t d ON d.ctid = found.place`;

/**
 * $n = `next`: kinds; words, those of one group on a line each; of each group what it is worth, how many documents it may
 * lead to, and whether it is asked for only where the others lead to few. The worth of a group in a document is that of
 * BM25 as far as rows tell: less in a long text.
 */
export function candidateStatement(where: string, next: number): string {
  const [groups, worths, most, last] = [1, 2, 3, 4].map((place) => `$${String(next + place)}`);
  const leadingTo = (limit: string): string => `
  SELECT d.place, d.entity_id, wanted.worth * d.worth AS worth FROM wanted
   CROSS JOIN LATERAL (
     SELECT found.place, d.entity_id, 1 / (1.7::float8 + 0.01::float8 * d.length) AS worth
       FROM ${documentsWith(next, "string_to_array(wanted.terms, E'\\n')")} ${where}
      LIMIT ${limit}) d`;
  return `
WITH wanted AS MATERIALIZED (
  SELECT * FROM unnest(${groups}::text[], ${worths}::float8[], ${most}::int[], ${last}::bool[]) AS wanted(terms, worth, most, last)
), first AS MATERIALIZED (${leadingTo('wanted.most')} WHERE NOT wanted.last
), few AS MATERIALIZED (
  SELECT count(DISTINCT place) < ${String(mostCandidates)} AS yes FROM first
), found AS MATERIALIZED (
  SELECT place, entity_id, sum(worth) AS worth FROM (TABLE first
    UNION ALL ${leadingTo('CASE WHEN (SELECT yes FROM few) THEN wanted.most ELSE 0 END')} WHERE wanted.last) d
   GROUP BY place, entity_id
   ORDER BY worth DESC, entity_id
   LIMIT ${String(mostCandidates)}
)
SELECT ${candidateColumns}
  FROM found JOIN search_document_t d ON d.ctid = found.place AND d.host_id = $1`;
}

/** What {@link candidateStatement} is sent from `next` on. */
export function candidateValues(kind: Kind, groups: readonly TermGroup[]): readonly unknown[] {
  return [
    [kind],
    groups.map(({ terms }) => terms.join('\n')),
    groups.map(({ worth }) => worth),
    groups.map(({ most }) => most),
    groups.map(({ last }) => last),
  ];
}

/**
 * $1 host, $2 kinds, $3 words, $4 services or null for all, $5 environments: how often each stands in the documents of
 * these. The empty word counts them.
 */
export const frequencyStatement = `
SELECT kind, term, sum(documents)::int AS documents FROM search_term_t
 WHERE host_id = $1 AND kind = ANY($2::text[]) AND term = ANY($3::text[])
   AND ($4::text[] IS NULL OR service_id = '' OR service_id = ANY($4::text[]))
   AND (env_tag = '' OR env_tag = ANY($5::text[]))
 GROUP BY kind, term`;

/** $1 kinds, $2 words that no document holds, $3 services or null for all, $4 environments: what looks like them there. */
export const spellingStatement = 'SELECT term FROM words_like($1, $2, $3, $4) AS term';

/** Appended to the conditions of what the asker may see; $n = `next`: kinds, words with the host's mark. */
export function countStatement(where: string, next: number): string {
  return `
SELECT d.kind, '' AS term, count(*)::int AS documents FROM search_document_t d ${where} GROUP BY d.kind
UNION ALL
SELECT d.kind, wanted.term, count(*)::int
  FROM unnest($${String(next + 1)}::text[]) AS wanted(term)
 CROSS JOIN LATERAL (SELECT d.kind FROM ${documentsWith(next, 'ARRAY[wanted.term]')} ${where}) d
 GROUP BY d.kind, wanted.term`;
}

/** The conditions are those of what the asker may see; $n = `next`: endpoint keys, ids of skills. */
export function relatedStatement(where: string, next: number): string {
  return `
SELECT d.kind, d.entity_id AS id, d.name, d.endpoint, d.api_version_id AS "apiVersionId", seen.yes IS NOT NULL AS visible
  FROM search_document_t d LEFT JOIN LATERAL (SELECT true AS yes ${where}) seen ON true
 WHERE d.host_id = $1
   AND (d.endpoint = ANY($${String(next)}::text[]) OR (d.kind = 'skill' AND d.entity_id = ANY($${String(next + 1)}::uuid[])))`;
}
