import type { Field } from '../../packages/ranking/searchable.js';
import type { Sql } from '../eventsourcing/sql.js';
import { sourcesOf } from './embedding-sources.js';
import { addSources, forgetSources } from './embeddings.statement.js';
import { distinctWords, type Kind, type MadeDocument, type SearchDocument } from './search-document.js';
import { countTerms, forgetTerms, insertDocuments, removeDocuments } from './search-documents.statement.js';

/** What is embedded, and for which model. */
export interface EmbeddedSources {
  readonly model: string;
  readonly dimension: number;
  readonly fields: readonly Field[];
}

/** Things of one kind whose documents are made anew. */
export interface Touched {
  readonly hostId: string;
  readonly kind: Kind;
  readonly ids: readonly string[];
  readonly embedded: EmbeddedSources;
}

/**
 * Puts the documents of these things in the place of those they had; a thing without one is no longer found. One at a
 * time on a host: the follower's lock sees to it.
 */
export async function keepDocuments(
  sql: Sql,
  of: Touched,
  documents: readonly MadeDocument[],
): Promise<void> {
  const { hostId, kind, ids } = of;
  type Gone = Pick<SearchDocument, 'words'>;
  const gone = await sql.query<Gone>(removeDocuments, [hostId, kind, ids]);
  const rows = documents.map(({ searchable: _, ...row }) => row);
  if (rows.length > 0) await sql.query(insertDocuments, [hostId, JSON.stringify(rows)]);
  const more = new Map<string, number>([['', documents.length - gone.length]]);
  const count = (by: number) => (word: string) => more.set(word, (more.get(word) ?? 0) + by);
  for (const { words } of documents) distinctWords(words).forEach(count(1));
  for (const { words } of gone) distinctWords(words).forEach(count(-1));
  const changed = [...more].filter(([, by]) => by !== 0);
  const [terms, amounts] = [changed.map(([term]) => term), changed.map(([, by]) => by)];
  await sql.query(countTerms, [hostId, kind, terms, amounts]);
  const fewer = changed.filter(([, by]) => by < 0).map(([term]) => term);
  if (fewer.length > 0) await sql.query(forgetTerms, [hostId, kind, fewer]);
  await keepSources(sql, of, documents);
}

/** Texts that are gone go with their vectors; new ones wait for theirs; all others are left alone. */
async function keepSources(sql: Sql, of: Touched, documents: readonly MadeDocument[]): Promise<void> {
  const { hostId, kind, ids, embedded } = of;
  const sources = documents.flatMap(({ entity_id: entity, searchable }) =>
    sourcesOf(searchable, embedded.fields).map((source) => ({ entity_id: entity, ...source })),
  );
  const keys = sources.map(({ source_text: _, ...key }) => key);
  await sql.query(forgetSources, [hostId, kind, ids, JSON.stringify(keys)]);
  const { model, dimension } = embedded;
  if (sources.length > 0)
    await sql.query(addSources, [hostId, kind, JSON.stringify(sources), model, dimension]);
}
