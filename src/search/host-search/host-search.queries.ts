/** Looks up the words of a prompt: in groups, by these statements, with the statistics that ranking needs. */
import { type Term, MAX_MISSPELT, mayBeMisspelt } from '../../../packages/ranking/prompt.js';
import type { Statistics } from '../../../packages/ranking/document.js';
import { inName, type Kind, termOf } from '../documents/search-document.js';
import { candidateColumns } from '../found.js';
import { wordsOf } from '../../../packages/ranking/words.js';
import type { Sql } from '../../kernel/sql.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { visibleDocuments } from '../documents/search-documents.filter.js';

/** Words that a document must hold together, and the worth of that. */
export interface TermGroup {
  /** Words with the mark of the host. */
  readonly terms: readonly string[];
  readonly worth: number;
  /** Most documents that it may find; which ones is open where there are more. */
  readonly limit: number;
  /** Asked for only where the other groups lead to few documents. */
  readonly last: boolean;
}

/** Documents of one word, and of all rare words together. */
const MAX_OF_WORD = 1_500;
/** Documents of two frequent words together. */
const MAX_OF_PAIR = 1_000;
/** Frequent words that are looked for in pairs. */
const MAX_FREQUENT = 5;
/** Rarest of these, whose pairs are tried first. */
const MAX_TOGETHER = 3;
/** Worth of a word anywhere, and what a word of the name adds. */
const [anywhere, named] = [1.5, 2.5];

/**
 * Groups the words of a prompt: rare words alone, as long as they find few enough rows; more frequent ones in
 * pairs, since a document with only one of those is not among the best. Where these find few documents, the rarest
 * frequent word alone, and frequent words in names, are tried too.
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

/** Documents that are ranked, the best by their words. */
export const MAX_CANDIDATES = 150;

/** Finds documents by a function, since only that can use the index behind row level security (decision 25). */
const documentsWith = (kinds: number, terms: string): string => `
       (SELECT documents_with($${String(kinds)}::text[], ${terms}) AS place) found JOIN search_document_t d ON d.ctid = found.place`;

/**
 * $n = `next`: kinds; words, a line for each group; of each group its worth, its limit, and whether it is asked for
 * only where the others lead to few. The worth of a group in a document follows BM25: less in a long text.
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

/** Values of {@link candidateStatement} from `next` on. */
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
 * $1 host, $2 kinds, $3 words, $4 services or null for all, $5 environments: counts the documents of each word. The
 * empty word counts all.
 */
export const frequencyStatement = `
SELECT kind, term, sum(documents)::int AS documents FROM search_term_t
 WHERE host_id = $1 AND kind = ANY($2::text[]) AND term = ANY($3::text[])
   AND ($4::text[] IS NULL OR service_id = '' OR service_id = ANY($4::text[]))
   AND (env_tag = '' OR env_tag = ANY($5::text[]))
 GROUP BY kind, term`;

/** $1 kinds, $2 unknown words, $3 services or null for all, $4 environments: finds words that look like them. */
export const spellingStatement = 'SELECT term FROM words_like($1, $2, $3, $4) AS term';

/** Counts documents of the caller's conditions; $n = `next`: kinds, words with the host's mark. */
export function countStatement(where: string, next: number): string {
  return `
SELECT d.kind, '' AS term, count(*)::int AS documents FROM search_document_t d ${where} GROUP BY d.kind
UNION ALL
SELECT d.kind, wanted.term, count(*)::int
  FROM unnest($${String(next + 1)}::text[]) AS wanted(term)
 CROSS JOIN LATERAL (SELECT d.kind FROM ${documentsWith(next, 'ARRAY[wanted.term]')} ${where}) d
 GROUP BY d.kind, wanted.term`;
}

/** Finds records of the caller's conditions; $n = `next`: endpoint keys, ids of skills. */
export function relatedStatement(where: string, next: number): string {
  return `
SELECT d.kind, d.entity_id AS id, d.name, d.endpoint, d.api_version_id AS "apiVersionId", seen.yes IS NOT NULL AS visible
  FROM search_document_t d LEFT JOIN LATERAL (SELECT true AS yes ${where}) seen ON true
 WHERE d.host_id = $1
   AND (d.endpoint = ANY($${String(next)}::text[]) OR (d.kind = 'skill' AND d.entity_id = ANY($${String(next + 1)}::uuid[])))`;
}

/** Different words of a prompt that are looked up. */
const MAX_PROMPT_WORDS = 2_000;
/** Words that are counted one document at a time, the rarest first. */
const MAX_COUNTED = 200;

interface Frequency {
  readonly kind: Kind;
  readonly term: string;
  readonly documents: number;
}

/**
 * Statistics that the ranking needs for one prompt, by kind, over the documents that the token may see. Counts by service
 * and environment are stored; documents within a tier are counted now.
 */
export async function corpusStatistics(
  sql: Sql,
  visibility: Visibility,
  question: { readonly prompt: string; readonly kinds: readonly Kind[] },
): Promise<(kind: Kind) => Statistics> {
  const words = [...new Set(wordsOf(question.prompt))].slice(0, MAX_PROMPT_WORDS);
  const known = await frequencies(sql, visibility, question.kinds, words);
  const there = new Set(known.map(({ term }) => term));
  const unknown = words.filter((word) => !there.has(word) && mayBeMisspelt(word)).slice(0, MAX_MISSPELT);
  const spellings = unknown.length === 0 ? [] : await nearTo(sql, visibility, question.kinds, unknown);
  const meant = spellings.length === 0 ? [] : await frequencies(sql, visibility, question.kinds, spellings);
  const counts = new Map([...meant, ...known].map((one) => [`${one.kind} ${one.term}`, one.documents]));
  return (kind) => ({
    documents: counts.get(`${kind} `) ?? 0,
    frequency: (word) => counts.get(`${kind} ${word}`) ?? 0,
    vocabulary: spellings.filter((word) => counts.has(`${kind} ${word}`)),
  });
}

async function frequencies(
  sql: Sql,
  visibility: Visibility,
  kinds: readonly Kind[],
  words: readonly string[],
): Promise<Frequency[]> {
  const { hostId } = visibility;
  const asked = [hostId, kinds, ['', ...words], ...scopeOf(visibility)];
  const all = await sql.query<Frequency>(frequencyStatement, asked, 'search_frequencies');
  if (!isNarrowed(visibility)) return all;
  const rarest = all.filter(({ term }) => term !== '').sort((a, b) => a.documents - b.documents);
  const known = [...new Set(rarest.map(({ term }) => term))].slice(0, MAX_COUNTED);
  const where = visibleDocuments(visibility).add('d.kind = ANY(?::text[])', kinds);
  const terms = known.map((word) => termOf(hostId, word));
  const statement = countStatement(where.sql(), where.values.length + 1);
  const rows = await sql.query<Frequency>(statement, [...where.values, kinds, terms]);
  return rows.map((row) => ({ ...row, term: row.term.slice(row.term.indexOf(' ') + 1) }));
}

async function nearTo(
  sql: Sql,
  visibility: Visibility,
  kinds: readonly Kind[],
  words: readonly string[],
): Promise<string[]> {
  const asked = [kinds, words, ...scopeOf(visibility)];
  const rows = await sql.query<{ term: string }>(spellingStatement, asked, 'search_spellings');
  return rows.map(({ term }) => term);
}

const scopeOf = ({ services, environments }: Visibility) => [
  services === 'all' ? null : services,
  environments,
];
