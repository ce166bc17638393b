/** Looks up the words of a prompt: in groups, by these statements, with the statistics that ranking needs. */
import {
  type Term,
  MAX_PROMPT_WORDS,
  misspeltIn,
  promptWordsOf,
  wordsNear,
} from '../../../packages/ranking/prompt.js';
import type { Statistics } from '../../../packages/ranking/document.js';
import { inName, type Kind, termOf } from '../documents/search-document.js';
import { candidateColumns } from '../found.js';
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

/** Documents that are ranked, the best by their words, where not all are that hold any. */
export const MAX_CANDIDATES = 150;
/** Documents that a token may see of a kind, up to which all are ranked that hold any word of the prompt. */
export const MAX_RANKED = 5_000;

/** Looks for each word alone, and for all that it leads to. */
export function everyTerm(hostId: string, terms: readonly Term[]): readonly TermGroup[] {
  return terms.map(({ word, weight }) => ({
    ...{ terms: [termOf(hostId, word)], worth: weight, limit: MAX_RANKED, last: false },
  }));
}

/**
 * Documents that hold the words, one by one by their places. A function finds them, since only that can use the index behind row level
 * security (decision 25); and each is fetched by its place, whatever the planner knows of the table: a plain join it would turn
 * around where it takes the table for empty, as after an import, and then look for the words once for each document of the host.
 */
const documentsWith = (
  columns: string,
  { kinds, terms, where }: { readonly kinds: number; readonly terms: string; readonly where: string },
): string => `
       (SELECT documents_with($${String(kinds)}::text[], ${terms}) AS place OFFSET 0) found
 CROSS JOIN LATERAL (SELECT ${columns} FROM search_document_t d ${where} AND d.ctid = found.place OFFSET 0) d`;

/**
 * $n = `next`: kinds; words, a line for each group; of each group its worth, its limit, and whether it is asked for
 * only where the others lead to few; and the most that it finds in all. The worth of a group in a document follows BM25: less in a long text.
 */
export function candidateStatement(where: string, next: number): string {
  const [groups, worths, most, last, inAll] = [1, 2, 3, 4, 5].map((place) => `$${String(next + place)}`);
  const terms = "string_to_array(wanted.terms, E'\\n')";
  const leadingTo = (limit: string): string => `
  SELECT d.place, d.entity_id, wanted.worth * d.worth AS worth FROM wanted
   CROSS JOIN LATERAL (
     SELECT found.place, d.entity_id, 1 / (1.7::float8 + 0.01::float8 * d.length) AS worth
       FROM ${documentsWith('d.entity_id, d.length', { kinds: next, terms, where })}
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
   LIMIT ${inAll}
)
SELECT d.* FROM found
 CROSS JOIN LATERAL (
   SELECT ${candidateColumns} FROM search_document_t d WHERE d.host_id = $1 AND d.ctid = found.place OFFSET 0) d`;
}

/** Values of {@link candidateStatement} from `next` on. */
export function candidateValues(
  kind: Kind,
  groups: readonly TermGroup[],
  most = MAX_CANDIDATES,
): readonly unknown[] {
  return [
    [kind],
    groups.map(({ terms }) => terms.join('\n')),
    groups.map(({ worth }) => worth),
    groups.map(({ limit }) => limit),
    groups.map(({ last }) => last),
    most,
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

/** $1 host, $2 kinds, $3 least and $4 most letters, $5 services or null for all, $6 environments: words of such a length. */
export const vocabularyStatement = `
SELECT DISTINCT term FROM search_term_t
 WHERE host_id = $1 AND kind = ANY($2::text[]) AND length(term) BETWEEN $3::int AND $4::int AND documents > 0
   AND ($5::text[] IS NULL OR service_id = '' OR service_id = ANY($5::text[]))
   AND (env_tag = '' OR env_tag = ANY($6::text[]))`;

/** $1 kinds, $2 unknown words, $3 services or null for all, $4 environments: finds words that look like them. */
export const spellingStatement = 'SELECT term FROM words_like($1, $2, $3, $4) AS term';

/** Counts documents of the caller's conditions; $n = `next`: kinds, words with the host's mark. */
export function countStatement(where: string, next: number): string {
  return `
SELECT d.kind, '' AS term, count(*)::int AS documents FROM search_document_t d ${where} GROUP BY d.kind
UNION ALL
SELECT d.kind, wanted.term, count(*)::int
  FROM unnest($${String(next + 1)}::text[]) AS wanted(term)
 CROSS JOIN LATERAL (SELECT d.kind FROM ${documentsWith('d.kind', { kinds: next, terms: 'ARRAY[wanted.term]', where })}) d
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

/** Words that are counted one document at a time, the rarest first, where there are many documents. */
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
  const asked = promptWordsOf(question.prompt);
  const known = await frequencies(sql, visibility, question.kinds, [...asked.times.keys(), ...asked.joined]);
  const counts = new Map(known.map((one) => [`${one.kind} ${one.term}`, one.documents]));
  const countOf = (kind: Kind, word: string): number => counts.get(`${kind} ${word}`) ?? 0;
  // A word that one kind knows may be misspelt in another, but for those that have no documents.
  const unknown = question.kinds
    .filter((kind) => countOf(kind, '') > 0)
    .flatMap((kind) => misspeltIn(asked, (word) => countOf(kind, word)));
  const near = documentsIn(known) > MAX_RANKED ? nearTo : among;
  const spellings =
    unknown.length === 0 ? [] : await near(sql, visibility, question.kinds, [...new Set(unknown)]);
  const meant = spellings.length === 0 ? [] : await frequencies(sql, visibility, question.kinds, spellings);
  for (const { kind, term, documents } of meant) counts.set(`${kind} ${term}`, documents);
  return (kind) => ({
    documents: countOf(kind, ''),
    frequency: (word) => countOf(kind, word),
    vocabulary: spellings.filter((word) => countOf(kind, word) > 0),
  });
}

/** The statistics with those of further words: what an example is like depends on all of its words. */
export async function withWords(
  sql: Sql,
  visibility: Visibility,
  { kind, words }: { readonly kind: Kind; readonly words: readonly string[] },
  statistics: Statistics,
): Promise<Statistics> {
  const further = [...new Set(words)].filter((word) => statistics.frequency(word) === 0);
  if (further.length === 0) return statistics;
  const rows = await frequencies(sql, visibility, [kind], further);
  const counts = new Map(rows.filter(({ term }) => term !== '').map((row) => [row.term, row.documents]));
  return { ...statistics, frequency: (word) => counts.get(word) ?? statistics.frequency(word) };
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
  const most = documentsIn(all) > MAX_RANKED ? MAX_COUNTED : MAX_PROMPT_WORDS;
  const known = [...new Set(rarest.map(({ term }) => term))].slice(0, most);
  const where = visibleDocuments(visibility).add('d.kind = ANY(?::text[])', kinds);
  const terms = known.map((word) => termOf(hostId, word));
  const statement = countStatement(where.sql(), where.values.length + 1);
  const rows = await sql.query<Frequency>(statement, [...where.values, kinds, terms]);
  return rows.map((row) => ({ ...row, term: row.term.slice(row.term.indexOf(' ') + 1) }));
}

/** The empty word stands in all. */
const documentsIn = (counts: readonly Frequency[]): number =>
  counts.reduce((sum, { term, documents }) => sum + (term === '' ? documents : 0), 0);

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

/** All words of about the length of one of these. */
async function among(
  sql: Sql,
  visibility: Visibility,
  kinds: readonly Kind[],
  words: readonly string[],
): Promise<string[]> {
  const lengths = words.map(({ length }) => length);
  const between = [Math.min(...lengths) - 2, Math.max(...lengths) + 2];
  const asked = [visibility.hostId, kinds, ...between, ...scopeOf(visibility)];
  const rows = await sql.query<{ term: string }>(vocabularyStatement, asked, 'search_vocabulary');
  const terms = rows.map(({ term }) => term);
  return [...new Set(words.flatMap((word) => wordsNear(word, terms)))];
}

const scopeOf = ({ services, environments }: Visibility) => [
  services === 'all' ? null : services,
  environments,
];
