import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Follower } from '../eventsourcing/follower.js';
import { Pace } from '../eventsourcing/pace.js';
import type { Sql } from '../eventsourcing/sql.js';
import { keepDocuments, type EmbeddedSources } from './kept-documents.batch.js';
import { kinds, type Kind, type MadeDocument } from './search-document.js';
import { endpointDocument, skillDocument, toolDocument } from './search-document.rows.js';
import type { EndpointSource, SkillSource, ToolSource } from './search-document.rows.js';
import * as statements from './search-documents.statement.js';

export const searchDocuments = 'search-documents';

/** Milliseconds that a reader waits for the latest changes. */
export const patience = 5_000;

/** Documents are brought in one after another, with longer pauses than requests: it follows when that is over, or has lasted. */
const idlePolicy = { quietMs: 500, maxDelayMs: 5_000 } as const;

const dependencyEvents = ['Created', 'Updated', 'Deleted'].map((what) => `SkillDependency${what}Event`);

/**
 * Keeps what is searched in step with the log. Of the events it takes only whom they are about and reads the rest
 * from the rows as they are now: so it doesn't matter how often an event is seen, nor how far behind it is. Texts that
 * have no vector yet it leaves for the embedding worker.
 */
export function searchDocumentsFollower(embedded: EmbeddedSources): Follower {
  return {
    name: searchDocuments,
    idlePolicy,
    handles: [
      ...[
        'ToolPublished',
        'ToolCreated',
        'ToolRefreshed',
        'ToolUpdated',
        'ToolRevised',
        'ToolActivated',
        'ToolDeactivated',
      ],
      ...['ApiEndpointImported', 'ApiEndpointOverridden', 'ApiEndpointVanished', 'ApiEndpointReturned'],
      ...['ApiEndpointActivated', 'ApiEndpointDeactivated', 'ApiEndpointConflictSettled'],
      ...['ApiVersionUpdated', 'ApiVersionDeactivated', 'ApiVersionActivated'],
      ...['ApiUpdated', 'ApiDeactivated', 'ApiActivated'],
      ...['SkillCreated', 'SkillUpdated', 'SkillActivated', 'SkillDeactivated'],
      ...['EntityTaxonomyReplaced', 'CategoryUpdated', 'CategoryDeleted', 'TagUpdated', 'TagDeleted'],
    ]
      .map((name) => `${name}Event`)
      .concat(dependencyEvents),
    reads: ['EntityTaxonomyReplacedEvent', ...dependencyEvents],
    async handle(sql, events) {
      const [first] = events;
      if (first === undefined) return;
      const touched = await touchedBy(sql, first.host, events);
      for (const kind of kinds) {
        const ids = [...touched[kind]];
        if (ids.length === 0) continue;
        const documents = await documentsOf(sql, first.host, kind, ids);
        await keepDocuments(sql, { hostId: first.host, kind, ids, embedded }, documents);
      }
    },
  };
}

async function touchedBy(sql: Sql, hostId: string, events: readonly RecordedEvent[]) {
  const about = (type: string): string[] => [
    ...new Set(
      events.filter(({ aggregatetype }) => aggregatetype === type).map(({ aggregateid }) => aggregateid),
    ),
  ];
  const touched = {
    tool: new Set(about('Tool')),
    skill: new Set(about('Skill')),
    endpoint: new Set(about('ApiEndpoint')),
  };
  const add = (kind: string, id: string): unknown => (isKind(kind) ? touched[kind].add(id) : undefined);
  for (const { aggregatetype, data } of events) {
    const { entityType, entityId, skillId } = data as Readonly<Record<string, string>>;
    if (aggregatetype === 'EntityTaxonomy') add(entityType ?? '', entityId ?? '');
    if (aggregatetype === 'SkillDependency') add('skill', skillId ?? '');
  }
  const beneath = ['ApiEndpoint', 'ApiVersion', 'Api', 'Category', 'Tag'].map(about);
  if (beneath.every((ids) => ids.length === 0)) return touched;
  const rows = await sql.query<{ kind: string; entity_id: string }>(statements.touchedBeneath, [
    hostId,
    ...beneath,
  ]);
  for (const { kind, entity_id: id } of rows) add(kind, id);
  return touched;
}

function isKind(kind: string): kind is Kind {
  return (kinds as readonly string[]).includes(kind);
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
