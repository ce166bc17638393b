import { LRUCache } from 'lru-cache';
import { definitionLength, type Provider, refusedBy } from '../../formats/shared.js';
import { Pace } from '../../kernel/pace.js';
import type { Sql } from '../../kernel/sql.js';

/** A tool at one of its states: `position` is that of the last event that changed it. */
export interface JudgedTool {
  readonly toolId: string;
  readonly name: string;
  readonly description: string;
  readonly position: number;
}

/** What is known of what models are given of a tool. */
export interface JudgedDefinition {
  /** Makers of models that refuse it. */
  readonly refusedBy: readonly Provider[];
  /** Characters of JSON that a model reads of it at every turn. */
  readonly definitionLength: number;
}

/** By tool and position: what was judged of one state stays so, for as long as this version of the rules runs. */
const judged = new LRUCache<string, JudgedDefinition>({ max: 50_000 });

/** Schemas that are read at a time: each may be 256 KiB long. */
const AT_ONCE = 20;

/**
 * What models are given of each of some tools, judged, by its id. Schemas are read where a state has not been judged yet, a few at a
 * time, and judged in steps.
 */
export async function judgedDefinitions(
  sql: Sql,
  hostId: string,
  tools: readonly JudgedTool[],
): Promise<ReadonlyMap<string, JudgedDefinition>> {
  const keyOf = ({ toolId, position }: JudgedTool): string => `${hostId} ${toolId} ${String(position)}`;
  const found = new Map<string, JudgedDefinition>();
  const open: JudgedTool[] = [];
  for (const tool of tools) {
    const known = judged.get(keyOf(tool));
    if (known === undefined) open.push(tool);
    else found.set(tool.toolId, known);
  }
  const pace = new Pace();
  for (let at = 0; at < open.length; at += AT_ONCE) {
    const some = open.slice(at, at + AT_ONCE);
    const schemas = await schemasOf(
      sql,
      hostId,
      some.map(({ toolId }) => toolId),
    );
    for (const tool of some) {
      const inputSchema = schemas.get(tool.toolId);
      if (inputSchema === undefined) continue;
      const judgement = judgedDefinition({ ...tool, inputSchema });
      judged.set(keyOf(tool), judgement);
      found.set(tool.toolId, judgement);
      await pace.step();
    }
  }
  return found;
}

/** Judges one tool. */
export function judgedDefinition(
  tool: Pick<JudgedTool, 'name' | 'description'> & { readonly inputSchema: object },
): JudgedDefinition {
  return { refusedBy: refusedBy(tool), definitionLength: definitionLength(tool) };
}

async function schemasOf(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<ReadonlyMap<string, object>> {
  const rows = await sql.query<{ toolId: string; inputSchema: object }>(
    `SELECT tool_id AS "toolId", input_schema AS "inputSchema" FROM tool_t
     WHERE host_id = $1 AND tool_id = ANY($2::uuid[])`,
    [hostId, toolIds],
  );
  return new Map(rows.map(({ toolId, inputSchema }) => [toolId, inputSchema]));
}
