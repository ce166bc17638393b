import type { JSONSchema } from 'json-schema-to-ts';
import { NotFound } from '../../eventsourcing/errors.js';
import type { Sql } from '../../eventsourcing/sql.js';
import type { Visibility } from '../auth/visibility.js';
import type { Conditions } from '../database/conditions.js';
import { listPage } from '../database/page.js';
import { likeText } from '../database/visible-rows.js';
import { listProperties, recordMembers, recordProperties, type ListQuery } from '../http/schemas.js';
import { columnOf, type Fields, type Values } from './fields.js';
import type { FieldsOf, Members, RecordSpec } from './record-spec.js';
import { idColumn } from './record-sql.js';

/** How a noun is read, beyond its fields. */
export interface RecordView<S extends RecordSpec> {
  /** What of the rows a reader sees. */
  visible(visibility: Visibility): Conditions;
  /** Text by which lists are ordered. */
  readonly orderBy: string & keyof (S['fixed'] & S['fields']);
  /** Fields that lists are filtered by, with the schemas of the parameters. */
  readonly filters?: Readonly<Record<string, JSONSchema>>;
  /** Fields whose texts `q` looks through, and what the document says of that. */
  readonly search?: { readonly in: readonly string[]; readonly description: string };
  /** Members of answers that are no fields, with the SQL that gives them. */
  readonly shows?: Readonly<Record<string, { readonly sql: string; readonly schema: JSONSchema }>>;
  /** Takes out what this reader is not shown. */
  readonly redact?: (answer: Members, visibility: Visibility) => Members;
}

/** A record as it is answered. */
export type Answer<S extends RecordSpec> = Values<S['id']> &
  FieldsOf<S> & {
    readonly active: boolean;
    readonly aggregateVersion: number;
    readonly position: number;
    readonly updateTs: string;
    readonly updateUser: string;
  };

/** How records of a noun are read: lists and single ones. */
export class RecordReads<S extends RecordSpec> {
  private readonly fields: Fields;
  private readonly select: string;

  constructor(
    readonly spec: S,
    readonly view: RecordView<S>,
  ) {
    this.fields = { ...spec.id, ...spec.fixed, ...spec.fields };
    const columns = [...Object.keys(this.fields), ...recordMembers].map(columnOf);
    const shown = Object.entries(view.shows ?? {}).map(([name, { sql }]) => `${sql} AS "${name}"`);
    this.select = [...columns, ...shown].join(', ');
  }

  async list(
    sql: Sql,
    visibility: Visibility,
    { active, limit, cursor, ...filter }: ListQuery & { readonly q?: string } & Members,
  ): Promise<{ items: Answer<S>[]; nextCursor?: string }> {
    const { search, filters = {}, orderBy } = this.view;
    const where = this.view.visible(visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    for (const name of Object.keys(filters)) {
      if (filter[name] !== undefined) where.add(`${columnOf(name)} = ?`, filter[name]);
    }
    if (search !== undefined && filter.q !== undefined) {
      where.add(`concat_ws(' ', ${search.in.map(columnOf).join(', ')}) ILIKE ?`, likeText(filter.q));
    }
    const { rows, ...next } = await listPage<Members>(sql, {
      ...{ select: this.select, from: this.spec.table, where, text: columnOf(orderBy) },
      ...{ id: idColumn(this.spec), limit, cursor },
    });
    return { items: rows.map((row) => this.answerOf(row, visibility)), ...next };
  }

  /** Throws NotFound, also where it was deleted. */
  async get(sql: Sql, visibility: Visibility, id: string): Promise<Answer<S>> {
    const { table, lifecycle, noun } = this.spec;
    const where = this.view.visible(visibility).add(`${idColumn(this.spec)} = ?`, id);
    if (lifecycle === 'deleted') where.add('active');
    const [row] = await sql.query<Members>(
      `SELECT ${this.select} FROM ${table} ${where.sql()}`,
      where.values,
    );
    if (row === undefined) throw new NotFound(noun, id);
    return this.answerOf(row, visibility);
  }

  /** The schema of a record as it is answered. */
  get answer(): JSONSchema {
    const { shows = {} } = this.view;
    const properties = {
      ...Object.fromEntries(Object.entries(this.fields).map(([name, { answered }]) => [name, answered])),
      ...Object.fromEntries(Object.entries(shows).map(([name, { schema }]) => [name, schema])),
      ...recordProperties,
      ...(this.spec.lifecycle === 'deleted' && {
        active: { type: 'boolean', description: 'False: it was deleted.' } as const,
      }),
    };
    return { type: 'object', required: Object.keys(properties), properties };
  }

  /** The schema of what a list is asked for. */
  get query(): JSONSchema {
    const { filters, search } = this.view;
    const q = search && {
      q: { type: 'string', minLength: 1, maxLength: 200, description: search.description } as const,
    };
    return {
      type: 'object',
      additionalProperties: false,
      properties: { ...listProperties, ...filters, ...q },
    };
  }

  private answerOf(row: Members, visibility: Visibility): Answer<S> {
    const shown = Object.keys(this.view.shows ?? {}).map((name) => [name, row[name]]);
    const own = [...Object.keys(this.fields), ...recordMembers].map((name) => [name, row[columnOf(name)]]);
    const answer = Object.fromEntries([...own, ...shown]) as Members;
    return (this.view.redact?.(answer, visibility) ?? answer) as Answer<S>;
  }
}
