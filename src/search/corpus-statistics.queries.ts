import type { Statistics } from '../../packages/ranking/statistics.js';
import { wordsOf } from '../../packages/ranking/words.js';
import type { Sql } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { countStatement, frequencyStatement, spellingStatement } from './host-search.statement.js';
import { termOf, type Kind } from './search-document.js';
import { visibleDocuments } from './search-documents.filter.js';

/** Most different words of a prompt that are asked for. */
const mostWords = 200;

interface Frequency {
  readonly kind: Kind;
  readonly term: string;
  readonly documents: number;
}

/**
 * What the ranking must know of a host's documents for one prompt, of each kind. A narrowed token is told by what it
 * may see alone: its words are counted among those documents.
 */
export async function corpusStatistics(
  sql: Sql,
  visibility: Visibility,
  question: { readonly prompt: string; readonly kinds: readonly Kind[] },
): Promise<(kind: Kind) => Statistics> {
  const words = [...new Set(wordsOf(question.prompt))].slice(0, mostWords);
  const known = await frequencies(sql, visibility, question.kinds, words);
  const unknown = words.filter((word) => !known.some(({ term }) => term === word));
  const spellings = unknown.length === 0 ? [] : await nearTo(sql, question.kinds, unknown);
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
  if (!isNarrowed(visibility)) {
    return sql.query<Frequency>(frequencyStatement, [hostId, kinds, ['', ...words]], 'search_frequencies');
  }
  const where = visibleDocuments(visibility).add('d.kind = ANY(?::text[])', kinds);
  const terms = words.map((word) => termOf(hostId, word));
  const statement = countStatement(where.sql(), where.values.length + 1);
  const rows = await sql.query<Frequency>(statement, [...where.values, kinds, terms]);
  return rows.map((row) => ({ ...row, term: row.term.slice(row.term.indexOf(' ') + 1) }));
}

async function nearTo(sql: Sql, kinds: readonly Kind[], words: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ term: string }>(spellingStatement, [kinds, words], 'search_spellings');
  return rows.map(({ term }) => term);
}
