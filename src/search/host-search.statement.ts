/** The words of a prompt that the database is asked for, in groups, and the statements that ask. Pure. */
import type { Term } from '../../packages/ranking/prompt.js';
import type { Statistics } from '../../packages/ranking/document.js';
import { inName, type Kind, termOf } from './search-document.js';
import { candidateColumns } from './found.js';

/** Words that a document must hold together, and what that is worth. */
export interface TermGroup {
  /** As they are kept, behind the host's mark. */
  readonly terms: readonly string[];
  readonly worth: number;
  /** Documents that it may lead to; any of them where there are more. */
  readonly limit: number;
  /** Frequent words by themselves, or the most frequent beside others: asked for where all else leads to few. */
  readonly last: boolean;
}

/** Documents that one word leads to, and rare ones in all. */
const MAX_OF_WORD = 1_500;
/** Two frequent words together. */
const MAX_OF_PAIR = 1_000;
/** Frequent words of which each is looked for beside each other. */
const MAX_FREQUENT = 5;
/** … and the rarest of them, whose pairs are enough where they lead to many. */
const MAX_TOGETHER = 3;
/** Worth of a word anywhere, and what a word of the name adds. */
const [anywhere, named] = [1.5, 2.5];

/**
 * The rarest words alone, wherever they stand, as long as they lead to a bearable number of rows, and more frequent
 * ones two at a time: a document that holds but one of those is not among the best where many others hold more. Only
 * where that leads to few, the rarest of the frequent ones is looked for alone, and those that have one in their name.
 */
export function termGroups(
  hostId: string,
  terms: readonly Term[],
  { frequency }: Pick<Statistics, 'frequency'>,
): readonly TermGroup[] {
  const kept = (word: string) => termOf(hostId, word);
  const rarest = [...terms].sort((a, b) => frequency(a.word) - frequency(b.word));
  let documents = 0;
  const rare = rarest.filter(({ word }) => (documents += frequency(word)) <= MAX_OF_WORD);
  const frequent = rarest.slice(rare.length, rare.length + MAX_FREQUENT);
  const pairs = frequent.flatMap((one, index) =>
    frequent.slice(index + 1).map((other, further) => ({
      terms: [kept(one.word), kept(other.word)],
      worth: anywhere * (one.weight + other.weight),
      ...{ limit: MAX_OF_PAIR, last: index + 1 + further >= MAX_TOGETHER },
    })),
  );
  const single = (term: string, worth: number, last: boolean): TermGroup => ({
    terms: [term],
    ...{ worth, last, limit: MAX_OF_WORD },
  });
  const alone = (last: boolean) => (term: Term) => single(kept(term.word), anywhere * term.weight, last);
  const inNames = (last: boolean) => (term: Term) =>
    single(kept(inName(term.word)), named * term.weight, last);
  return [
    ...[...rare.map(alone(false)), ...rare.map(inNames(false)), ...pairs],
    ...[...frequent.slice(0, 1).map(alone(true)), ...frequent.map(inNames(true))],
  ];
}

/** Best documents by their words alone: the ranking looks at these more closely. */
export const MAX_CANDIDATES = 150;

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
  SELECT count(DISTINCT place) < ${String(MAX_CANDIDATES)} AS yes FROM first
), found AS MATERIALIZED (
  SELECT place, entity_id, sum(worth) AS worth FROM (TABLE first
    UNION ALL ${leadingTo('CASE WHEN (SELECT yes FROM few) THEN wanted.most ELSE 0 END')} WHERE wanted.last) d
   GROUP BY place, entity_id
   ORDER BY worth DESC, entity_id
   LIMIT ${String(MAX_CANDIDATES)}
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
    groups.map(({ limit }) => limit),
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
