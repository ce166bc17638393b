import { Inject, Injectable } from '@nestjs/common';
import { cutReferences } from '../endpoints/endpoint-references.js';
import { referencesSeen } from '../endpoints/endpoint-references.lookup.js';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { visibleRows } from '../platform/database/visible-rows.js';

/** By its id or by its name. */
export interface RecordKey {
  readonly id?: string;
  readonly name?: string;
}

interface ToolRecord {
  readonly apiVersionId: string | null;
  readonly metadata: { readonly routing: object; readonly safety: object };
}

/** One active skill, or one tool that is offered, for whoever is not confined to an agent's catalog. */
@Injectable()
export class RecordLookup {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws NotFound. */
  async tool(visibility: Visibility, key: RecordKey): Promise<object> {
    const where = activeTools(visibility).add(`t.${columnOf(key, 'tool_id')} = ?`, valueOf(key));
    const sql = this.database.of(visibility.hostId);
    const [tool] = await sql.query<ToolRecord>(
      `SELECT t.tool_id AS "toolId", t.endpoint_id AS "endpointId", t.name, t.description, t.version,
         t.implementation_type AS "implementationType", t.source_protocol AS "sourceProtocol",
         t.lifecycle_status AS "lifecycleStatus", t.input_schema AS "inputSchema",
         t.response_schema AS "outputSchema", t.params, t.tool_metadata AS metadata, t.example_prompts AS "examplePrompts",
         e.api_version_id AS "apiVersionId"
       FROM tool_read t ${offered} ${where.sql()} ORDER BY t.version DESC, t.tool_id LIMIT 1`,
      where.values,
    );
    if (tool === undefined) throw new NotFound('tool', valueOf(key));
    const { metadata, apiVersionId, ...facts } = tool;
    const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata]);
    const { routing, safety } = isNarrowed(visibility) ? cutReferences(metadata, isSeen) : metadata;
    const known = Object.entries(facts).filter(([, value]) => value !== null);
    return { ...Object.fromEntries(known), routingMetadata: routing, safety };
  }

  /** Throws NotFound. Its tools are those that the caller may see. */
  async skill(visibility: Visibility, key: RecordKey): Promise<object> {
    const [skill] = await this.database.of(visibility.hostId).query<{ readonly skillId: string }>(
      `SELECT skill_id AS "skillId", name, COALESCE(description, '') AS description, content_markdown AS "contentMarkdown", version
       FROM skill_read WHERE host_id = $1 AND active AND ${columnOf(key, 'skill_id')} = $2`,
      [visibility.hostId, valueOf(key)],
    );
    if (skill === undefined) throw new NotFound('skill', valueOf(key));
    const where = activeTools(visibility).add('l.active').add('l.skill_id = ?', skill.skillId);
    const tools = await this.database.of(visibility.hostId).query<object>(
      `SELECT t.tool_id AS "toolId", t.name, t.description, l.access_level AS "accessLevel",
         t.tool_metadata -> 'safety' AS safety
       FROM skill_tool_read l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
       ${offered} ${where.sql()}
       ORDER BY t.name COLLATE "C", t.tool_id`,
      where.values,
    );
    return { ...skill, tools };
  }
}

/** The endpoint of a tool `t`: says whether it is offered. */
const offered = 'LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id';

function activeTools(visibility: Visibility): Conditions {
  const limits = ['services', 'environments', 'tiers'] as const;
  const where = visibleRows(visibility, { alias: 't', limits }).add('t.active');
  return where.add('coalesce(e.active, t.endpoint_id IS NULL)');
}

function columnOf({ id }: RecordKey, idColumn: string): string {
  return id === undefined ? 'name' : idColumn;
}

function valueOf({ id, name }: RecordKey): string {
  return id ?? name ?? '';
}
