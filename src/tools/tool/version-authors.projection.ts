/** Who counts as an author of a version: nobody approves what they have written on (decision 68). */
import type { RecordedEvent } from '../../kernel/event.js';
import type { Transaction } from '../../kernel/sql.js';
import type { ToolEvent } from '../model/tool.events.js';

type Recorded = RecordedEvent & ToolEvent;

interface Written {
  readonly toolId: string;
  readonly version: string;
  readonly user: string;
  readonly continues: readonly string[];
}

/** Who has written on which version, in the order of the events. */
function writtenBy({ user, aggregateid: toolId, ...event }: Recorded): readonly Written[] {
  switch (event.type) {
    case 'ToolPublishedEvent':
    case 'ToolCreatedEvent':
      return [{ toolId, version: event.data.version, user, continues: [] }];
    case 'ToolVersionDraftedEvent':
      return [{ toolId, version: event.data.version, user, continues: event.data.continues ?? [] }];
    case 'ToolUpdatedEvent':
      return (event.data.waiting ?? []).map(({ version }) => ({ toolId, version, user, continues: [] }));
    default:
      return [];
  }
}

/**
 * Adds to the authors of versions who has written on them now, and who has on what they continue.
 *
 * @param events one of each tool
 */
export function keepAuthors(tx: Transaction, events: readonly Recorded[]): void {
  const [host] = events.map((event) => event.host);
  const written = events.flatMap(writtenBy);
  if (written.length > 0)
    tx.send(
      `UPDATE tool_version_t v SET authors = ARRAY(SELECT DISTINCT unnest(v.authors || w.author) ORDER BY 1)
       FROM unnest($2::uuid[], $3::text[], $4::text[]) AS w (tool_id, version, author)
       WHERE v.host_id = $1 AND v.tool_id = w.tool_id AND v.version = w.version AND w.author <> ALL (v.authors)`,
      [
        host,
        written.map(({ toolId }) => toolId),
        written.map(({ version }) => version),
        written.map(({ user }) => user),
      ],
    );
  for (const { toolId, version, continues } of written.filter((each) => each.continues.length > 0)) {
    tx.send(
      `UPDATE tool_version_t v SET authors = ARRAY(
         SELECT DISTINCT unnest(o.authors) FROM tool_version_t o
          WHERE o.host_id = $1 AND o.tool_id = $2 AND (o.version = $3 OR o.version = ANY($4::text[])) ORDER BY 1)
       WHERE v.host_id = $1 AND v.tool_id = $2 AND v.version = $3`,
      [host, toolId, version, continues],
    );
  }
  keepSubmitters(tx, events);
}

/** Makes who submits a version its author, where a token has written on it that names nobody. */
function keepSubmitters(tx: Transaction, events: readonly Recorded[]): void {
  for (const { type, host, aggregateid, user, data } of events) {
    if (type !== 'ToolVersionSubmittedEvent') continue;
    tx.send(
      `UPDATE tool_version_t SET authors = ARRAY(SELECT DISTINCT unnest(authors || $4::text) ORDER BY 1)
       WHERE host_id = $1 AND tool_id = $2 AND version = $3 AND '' = ANY(authors)`,
      [host, aggregateid, data.version, user],
    );
  }
}
