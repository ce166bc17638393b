import { Inject, Injectable } from '@nestjs/common';
import { momentOf, pastStatement, positionOf } from '../effective-catalog/past.lookup.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { SlowReads } from '../platform/work/slow-reads.js';
import type { EvaluatedCatalog, EvaluationScope } from './evaluated-catalog.js';
import { toolDocument, type ToolSource } from './search-document.rows.js';
import { toolSources } from './search-documents.statement.js';
import { toolsAsked } from './tools-asked.filter.js';
import { mostTools, toolsInMemory, tooManyTools } from './tools-in-memory.js';

/** Search over all that a token may read of a host, as it was at a moment. */
@Injectable()
export class PastSearch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly slowReads: SlowReads,
  ) {}

  /** Throws Problem 403 but for administrators, Invalid where the log has not come so far, RuleBroken `too_many_tools`. */
  async at(caller: Caller, asOf: string, scope: EvaluationScope): Promise<EvaluatedCatalog> {
    requireScope(caller, 'catalog:admin');
    return this.slowReads.run(caller, () => this.readAt(caller, asOf, scope));
  }

  private async readAt(caller: Caller, asOf: string, scope: EvaluationScope): Promise<EvaluatedCatalog> {
    const { hostId } = caller;
    const sql = this.database.of(hostId);
    const position = await positionOf(sql, hostId, momentOf(asOf));
    const where = toolsAsked(caller, scope);
    const visible = `SELECT d.tool_id FROM (SELECT t.*, 'tool' AS kind FROM tool_read t) d ${where.sql()}
       AND d.active LIMIT ${String(mostTools + 1)}`;
    const statement = await pastStatement(sql, visible, `$${String(where.values.length + 1)}`);
    const ids = await sql.query<{ tool_id: string }>(statement, [...where.values, position]);
    if (ids.length > mostTools) throw tooManyTools();
    const tools = await this.tools(
      hostId,
      ids.map(({ tool_id: id }) => id),
      position,
    );
    const search = toolsInMemory(tools.map((tool) => toolDocument(hostId, tool)));
    return { position, search, tools: () => tools };
  }

  /** The tools named, as they were at a position. */
  async tools(hostId: string, ids: readonly string[], position: number): Promise<ToolSource[]> {
    const sql = this.database.of(hostId);
    return sql.query(await pastStatement(sql, toolSources, '$3'), [hostId, ids, position]);
  }
}
