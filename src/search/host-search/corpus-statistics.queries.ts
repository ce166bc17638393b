import type { Statistics } from '../../../packages/ranking/document.js';
import { MAX_MISSPELT, mayBeMisspelt } from '../../../packages/ranking/prompt.js';
import { wordsOf } from '../../../packages/ranking/words.js';
import type { Sql } from '../../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { countStatement, frequencyStatement, spellingStatement } from './host-search.statement.js';
import { termOf, type Kind } from '../documents/search-document.js';
import { visibleDocuments } from '../documents/search-documents.filter.js';

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
 * What the ranking must know of a host's documents for one prompt, of each kind: over those alone that the token may see.
 * Of services and environments there are sums; documents within a tier are counted.
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
