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

type Counted = Pick<SearchDocument, 'words' | 'service_id' | 'env_tag'>;

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
  const gone = await sql.query<Counted>(removeDocuments, [hostId, kind, ids]);
  const rows = documents.map(({ searchable: _, ...row }) => row);
  if (rows.length > 0) await sql.query(insertDocuments, [hostId, JSON.stringify(rows)]);
  const counts = new TermCounts();
  for (const document of documents) counts.add(document, 1);
  for (const document of gone) counts.add(document, -1);
  const changed = counts.changed();
  const columns = (['term', 'service', 'environment', 'by'] as const).map((name) =>
    changed.map((each) => each[name]),
  );
  await sql.query(countTerms, [hostId, kind, ...columns]);
  const fewer = changed.filter(({ by }) => by < 0).map(({ term }) => term);
  if (fewer.length > 0) await sql.query(forgetTerms, [hostId, kind, fewer]);
  await keepSources(sql, of, documents);
}

interface TermCount {
  readonly term: string;
  /** Empty for what is host-wide. */
  readonly service: string;
  readonly environment: string;
  by: number;
}

/** Words, by service and environment, so that a token is told of those alone that it may see. */
class TermCounts {
  private readonly counts = new Map<string, TermCount>();

  add({ words, service_id: service, env_tag: environment }: Counted, by: number): void {
    for (const term of ['', ...distinctWords(words)]) {
      const key = JSON.stringify([term, service, environment]);
      const known = this.counts.get(key);
      if (known === undefined)
        this.counts.set(key, { term, service: service ?? '', environment: environment ?? '', by });
      else known.by += by;
    }
  }

  changed(): readonly TermCount[] {
    return [...this.counts.values()].filter(({ by }) => by !== 0);
  }
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
