/** What an evaluation of a version asks: the other tools of its environment, and beside them the tool before and with the version. */
import { RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { Conditions } from '../../platform/database/conditions.js';
import type { KnownVersion } from '../../tools/public.js';
import { toolDocument, type ToolSource } from '../documents/search-document.js';
import { visibleDocuments } from '../documents/search-documents.filter.js';
import { toolSources } from '../documents/search-documents.statement.js';
import { rankedColumns, type RankedRow, rankedRow } from './paged-ranking.js';
import { type Pages, pagesOf } from './ranking-portions.js';

/** Tools whose documents are in memory together; where there are more, they are read once for each pass. */
const MAX_HELD = 20_000;

/** Tools whose texts are read at once; so few that none of their prompts is left out (20 a tool, 5,000 at once). */
const SOURCES = 250;

interface Subject {
  readonly version: KnownVersion;
  /** The version whose place it would take. */
  readonly replaced: KnownVersion | undefined;
  readonly envTag: string | null;
}

/** Takes a turn among the reads that may take long. */
type Slow = <Read>(read: () => Promise<Read>) => Promise<Read>;

export interface VersionCatalogs {
  /** The other tools. */
  readonly pages: Pages;
  /** What their documents are made of. */
  readonly sources: () => AsyncIterable<readonly ToolSource[]>;
  /** The tool as agents are given it; undefined where they are not. */
  readonly before: RankedRow | undefined;
  readonly now: RankedRow;
  /** What the tool's document would be made of. */
  readonly source: ToolSource;
  /** Names of the tools that the caller sees, this one among them. */
  readonly seen: ReadonlySet<string>;
}

/** Throws RuleBroken `tool_inactive` where no prompt can find the tool. */
export async function versionCatalogs(
  sql: Sql,
  visibility: Visibility,
  { version, replaced, envTag }: Subject,
  slow: Slow,
): Promise<VersionCatalogs> {
  const { hostId } = visibility;
  const { toolId } = version;
  const read = (ids: readonly string[]) => sql.query<ToolSource>(toolSources, [hostId, ids]);
  const [source] = await read([toolId]);
  if (source === undefined) {
    const detail = `${version.name} is inactive, or its endpoint is: no prompt can find it. Activate it first.`;
    throw new RuleBroken('tool_inactive', detail);
  }
  const within = (where: Conditions): Conditions =>
    where.add("d.kind = 'tool' AND (d.env_tag IS NULL OR ?::text IS NULL OR d.env_tag = ?)", envTag, envTag);
  const pages = pagesOf(MAX_HELD, async (after) => {
    const others = within(new Conditions().add('d.host_id = ? AND d.entity_id <> ?', hostId, toolId));
    if (after !== undefined) others.add('d.entity_id > ?', after);
    return slow(() =>
      sql.query<RankedRow>(
        `SELECT ${rankedColumns} FROM search_document_t d ${others.sql()} ORDER BY d.entity_id LIMIT ${String(MAX_HELD)}`,
        others.values,
      ),
    );
  });
  const visible = within(visibleDocuments(visibility));
  const seen = await slow(() =>
    sql.query<{ readonly name: string }>(
      `SELECT d.name FROM search_document_t d ${visible.sql()}`,
      visible.values,
    ),
  );
  const withVersion = (known: KnownVersion): RankedRow =>
    rankedRow(toolDocument(hostId, sourceOf(source, known)));
  return {
    pages,
    async *sources() {
      for await (const page of pages()) {
        for (let start = 0; start < page.length; start += SOURCES) {
          const ids = page.slice(start, start + SOURCES).map(({ id }) => id);
          yield await slow(() => read(ids));
        }
      }
    },
    source: sourceOf(source, version),
    seen: new Set([version.name, ...seen.map(({ name }) => name)]),
    before: replaced && withVersion(replaced),
    now: withVersion(version),
  };
}

/** The tool as it would be with the version. */
function sourceOf(source: ToolSource, { content }: KnownVersion): ToolSource {
  return {
    ...source,
    description: content.description,
    input_schema: content.inputSchema,
    source_protocol: content.sourceProtocol,
    lifecycle_status: content.lifecycleStatus,
    document_prompts: content.examplePrompts ?? source.document_prompts,
    tool_metadata: { ...source.tool_metadata, routing: content.routing, safety: content.safety },
  };
}
