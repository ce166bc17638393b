import type { Change, Reaction } from '../../kernel/slice.js';
import type { Sql } from '../../kernel/sql.js';
import type { Values } from '../../platform/records/fields.js';
import { partsOf } from '../../registry/shared.js';
import { givenVersionOf } from '../../tools/shared.js';
import { skillTool } from './skill-tool.link.js';
import type { skillToolFields } from './skill-tool.rules.js';

type RangelessLink = Omit<Values<typeof skillToolFields>, 'range'> & {
  readonly skillId: string;
  readonly toolId: string;
};

/**
 * Keeps links from before there were versions, which have no range, to the major that they have, in the write that gives agents a
 * higher one: no link moves to another major by itself.
 */
export const keepLinksToTheirMajor: Reaction = {
  name: 'keep-links-to-their-major',
  on: ['ToolRefreshedEvent', 'ToolUpdatedEvent'],

  async react(changes, sql) {
    const [first] = changes;
    if (first === undefined) return [];
    const raised = new Map<string, { readonly cause: Change; readonly major: number }>();
    for (const cause of changes) {
      const [before, after] = [givenVersionOf(cause.before), givenVersionOf(cause.after)];
      if (before === undefined || after === undefined) continue;
      const [major] = partsOf(before);
      if (partsOf(after)[0] > major) raised.set(cause.id, { cause, major });
    }
    const { hostId } = first.command;
    return (await rangelessLinks(sql, hostId, [...raised.keys()])).map((link) => {
      const { cause = first, major = 0 } = raised.get(link.toolId) ?? {};
      return { command: skillTool.put(hostId, { ...link, range: `^${String(major)}` }, undefined), cause };
    });
  },
};

async function rangelessLinks(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<readonly RangelessLink[]> {
  if (toolIds.length === 0) return [];
  return sql.query<RangelessLink>(
    `SELECT skill_id AS "skillId", tool_id AS "toolId", access_level AS "accessLevel", config
     FROM skill_tool_t WHERE host_id = $1 AND tool_id = ANY($2::uuid[]) AND active AND range IS NULL
     ORDER BY skill_id, tool_id`,
    [hostId, toolIds],
  );
}
