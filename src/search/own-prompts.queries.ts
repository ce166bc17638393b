import { objectIn, textIn, textsIn, type LooseJson } from '../effective-catalog/loose-json.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Expectation } from './evaluation-metrics.js';
import { visibleDocuments } from './search-documents.filter.js';

interface Row {
  readonly name: string;
  readonly example_prompts: readonly string[];
  readonly tool_metadata: LooseJson;
}

/** Most prompts of one tool, and in all. */
const mostOfOne = 20;
const most = 5_000;

/**
 * What each tool says that it should be found by: its examples, its keywords together, its semantic description.
 *
 * @param within ids of tools; all that the asker may see where it is absent
 */
export async function ownPrompts(
  sql: Sql,
  visibility: Visibility,
  within: readonly string[] | undefined,
): Promise<Expectation[]> {
  const where = visibleDocuments(visibility).add(`d.kind = 'tool'`);
  if (within !== undefined) where.add('d.entity_id = ANY(?::uuid[])', within);
  const rows = await sql.query<Row>(
    `SELECT t.name, t.example_prompts, t.tool_metadata FROM search_document_t d
     JOIN tool_read t ON t.host_id = d.host_id AND t.tool_id = d.entity_id ${where.sql()}
     ORDER BY t.name COLLATE "C", t.tool_id`,
    where.values,
  );
  return rows.flatMap(promptsOf).slice(0, most);
}

function promptsOf({ name, example_prompts: examples, tool_metadata: metadata }: Row): Expectation[] {
  const routing = objectIn(metadata, 'routing');
  const keywords = textsIn(routing, 'semanticKeywords').join(' ');
  const said = [...examples, keywords, textIn(routing, 'semanticDescription') ?? ''];
  const prompts = said.filter((prompt) => prompt.trim() !== '').slice(0, mostOfOne);
  return prompts.map((prompt) => ({ prompt, expect: [name] }));
}
