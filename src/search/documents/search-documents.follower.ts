import { namedIds, type EventType } from '../../kernel/event.js';
import type { Follower } from '../../kernel/follower-runner.js';
import { headPosition } from '../../kernel/heads.js';
import { Pace } from '../../kernel/pace.js';
import type { Sql } from '../../kernel/sql.js';
import { isUuid } from '../../platform/validation/validator.js';
import { MadeAhead } from './made-ahead.js';
import {
  endpointDocument,
  type EndpointSource,
  type Kind,
  kinds,
  type MadeDocument,
  type SearchDocument,
  skillDocument,
  type SkillSource,
  sourcesOf,
  toolDocument,
  type ToolSource,
} from './search-document.js';
import * as statements from './search-documents.statement.js';
import {
  countTerms,
  forgetTerms,
  insertDocuments,
  noteChanges,
  removeDocuments,
} from './search-documents.statement.js';
import type { TextField } from '../../../packages/ranking/document.js';
import { distinctWords } from '../found.js';
import { addSources, forgetSources } from '../embeddings/embeddings.statement.js';

export const searchDocuments = 'search-documents';

/** Milliseconds that a reader waits for the latest changes. */
export const patience = 5_000;

/** Waits until writing pauses, since documents are imported one after another. */
const idlePolicy = { quietMs: 500, maxDelayMs: 5_000 } as const;

/** Names of the event types after which a document may differ. */
const followed = [
  ...['ToolPublished', 'ToolCreated', 'ToolRefreshed', 'ToolUpdated', 'ToolRevised'],
  ...['ToolVersionApproved', 'ToolVersionRetired', 'ToolActivated', 'ToolDeactivated'],
  ...['ApiEndpointImported', 'ApiEndpointOverridden', 'ApiEndpointVanished', 'ApiEndpointReturned'],
  ...['ApiEndpointActivated', 'ApiEndpointDeactivated', 'ApiEndpointConflictSettled'],
  ...['ApiVersionUpdated', 'ApiVersionDeactivated', 'ApiVersionActivated'],
  ...['ApiUpdated', 'ApiDeactivated', 'ApiActivated'],
  ...['SkillCreated', 'SkillUpdated', 'SkillActivated', 'SkillDeactivated'],
  ...['SkillDependencyCreated', 'SkillDependencyUpdated', 'SkillDependencyDeleted'],
  ...['EntityTaxonomyReplaced', 'CategoryUpdated', 'CategoryDeleted', 'TagUpdated', 'TagDeleted'],
].map((name) => `${name}Event`);

/**
 * Keeps the search documents in step with the log. Takes only ids from the events and reads the current rows, so that
 * it doesn't matter how often or how late an event is seen. Leaves new texts to the embedding worker.
 *
 * @param eventTypes all that the log may hold: they declare which ids an event names
 */
export function searchDocumentsFollower(
  eventTypes: readonly EventType[],
  embedded: EmbeddedSources,
): Follower {
  const declared = new Map(eventTypes.map((eventType) => [eventType.type, eventType]));
  const ahead = new MadeAhead();
  return {
    name: searchDocuments,
    idlePolicy,
    handles: followed,
    reads: followed.filter((type) => typeof declared.get(type)?.touches === 'object'),
    async handle(sql, events) {
      const [first, last] = [events[0], events.at(-1)];
      if (first === undefined || last === undefined) return;
      const { host: hostId } = first;
      ahead.begin(hostId, first.position);
      // Before the rows, which hold all events up to it at least.
      const head = await headPosition(sql, hostId);
      const ids = new Set(events.flatMap((event) => namedIds(declared.get(event.type) ?? {}, event)));
      const touched = await touchedBy(sql, hostId, [...ids]);
      for (const kind of kinds) {
        const due = ahead.due(hostId, kind, touched.get(kind) ?? [], last.position);
        if (due.length === 0) continue;
        const documents = await documentsOf(sql, hostId, kind, due);
        await keepDocuments(sql, { hostId, kind, ids: due, position: last.position, embedded }, documents);
        ahead.made(hostId, kind, due, head);
      }
      ahead.end(hostId, last.position, head);
    },
  };
}

/** Finds the records of each kind whose documents are made from one of the records named. */
async function touchedBy(
  sql: Sql,
  hostId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql.query<{ kind: string; ids: readonly string[] }>(statements.touchedBy, [
    hostId,
    ids.filter(isUuid),
    ids,
  ]);
  return new Map(rows.map((row) => [row.kind, row.ids]));
}

async function documentsOf(
  sql: Sql,
  hostId: string,
  kind: Kind,
  ids: readonly string[],
): Promise<readonly MadeDocument[]> {
  const given = [hostId, ids];
  switch (kind) {
    case 'tool':
      return documentsFrom(hostId, await sql.query<ToolSource>(statements.toolSources, given), toolDocument);
    case 'endpoint':
      return documentsFrom(
        hostId,
        await sql.query<EndpointSource>(statements.endpointSources, given),
        endpointDocument,
      );
    case 'skill':
      return documentsFrom(
        hostId,
        await sql.query<SkillSource>(statements.skillSources, given),
        skillDocument,
      );
  }
}

async function documentsFrom<Source>(
  hostId: string,
  sources: readonly Source[],
  documentOf: (hostId: string, source: Source) => MadeDocument,
): Promise<readonly MadeDocument[]> {
  const documents: MadeDocument[] = [];
  const pace = new Pace();
  for (const source of sources) {
    documents.push(documentOf(hostId, source));
    await pace.step();
  }
  return documents;
}

/** The fields that are embedded, and the model. */
export interface EmbeddedSources {
  readonly model: string;
  readonly dimension: number;
  readonly fields: readonly TextField[];
}

type Counted = Pick<SearchDocument, 'words' | 'service_id' | 'env_tag'>;

/** Records of one kind whose documents are replaced. */
interface Touched {
  readonly hostId: string;
  readonly kind: Kind;
  readonly ids: readonly string[];
  /** Of the log, of the last event that touches them. */
  readonly position: number;
  readonly embedded: EmbeddedSources;
}

/**
 * Replaces the documents of these records; a record without one is no longer found. The follower's lock keeps others
 * from doing so at the same time.
 */
export async function keepDocuments(
  sql: Sql,
  of: Touched,
  documents: readonly MadeDocument[],
): Promise<void> {
  const { hostId, kind, ids, position } = of;
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
  await sql.query(noteChanges, [hostId, kind, ids, position]);
  await keepSources(sql, of, documents);
}

interface TermCount {
  readonly term: string;
  /** Empty for host-wide records. */
  readonly service: string;
  readonly environment: string;
  by: number;
}

/** Counts words by service and environment, so that a token's statistics hold only what it may see. */
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

/** Removes texts that are gone with their vectors, adds new ones without a vector, and leaves the others. */
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
