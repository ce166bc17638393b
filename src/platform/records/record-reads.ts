import type { JSONSchema } from 'json-schema-to-ts';
import { NotFound } from '../../eventsourcing/errors.js';
import type { Sql } from '../../eventsourcing/sql.js';
import type { Visibility } from '../auth/visibility.js';
import { type Conditions, likeText } from '../database/conditions.js';
import { listPage } from '../database/page.js';
import { listProperties, recordProperties, type ListQuery } from '../http/schemas.js';
import { columnOf, type Fields, type Values } from './fields.js';
import type { Members, RecordSpec } from './record-spec.js';
import { idColumn } from './record-sql.js';

/** What reading must know of a noun, which may be no {@link record}. */
export type Readable = Pick<RecordSpec, 'noun' | 'table' | 'id' | 'fixed' | 'fields' | 'lifecycle'>;

type FieldName<S extends Readable> = string & keyof (S['id'] & S['fixed'] & S['fields']);

/** How a noun is read, beyond its fields. */
export interface RecordView<S extends Readable, Shown extends string> {
  /** What of the rows a reader sees. */
  visible(visibility: Visibility): Conditions;
  /** The rows with what is joined to them; the table alone unless said otherwise. */
  readonly from?: string;
  /** Members of answers that are no fields, with the SQL that gives them. */
  readonly shows?: Readonly<Record<Shown, { readonly sql: string; readonly schema: JSONSchema }>>;
  /** Text by which lists are ordered. */
  readonly orderBy: FieldName<S> | NoInfer<Shown>;
  /** What lists are filtered by, with the schemas of the parameters. */
  readonly filters?: Readonly<Partial<Record<FieldName<S> | NoInfer<Shown>, JSONSchema>>>;
  /** The texts that `q` looks through, and what the document says of that. */
  readonly search?: { readonly in: readonly (FieldName<S> | NoInfer<Shown>)[]; readonly description: string };
  /** Filters that are no fields. */
  readonly narrow?: {
    readonly query: Readonly<Record<string, JSONSchema>>;
    add(where: Conditions, visibility: Visibility, query: Members): void;
  };
  /** Takes out what this reader is not shown. */
  readonly redact?: (answer: Members, visibility: Visibility) => Members;
}

/** A record as lists show it. */
export type Listed<S extends Readable> = Omit<
  Answer<S>,
  {
    [Name in keyof S['fields']]: S['fields'][Name] extends { readonly listed: false } ? Name : never;
  }[keyof S['fields']]
>;

/** A record as it is answered. */
export type Answer<S extends Readable> = Values<S['id'] & S['fixed'] & S['fields']> & {
  readonly active: boolean;
  readonly aggregateVersion: number;
  readonly position: number;
  readonly updateTs: string;
  readonly updateUser: string;
};

/** How records of a noun are read: lists and single ones. */
export class RecordReads<S extends Readable, Shown extends string = never> {
  private readonly fields: Fields;

  constructor(
    readonly spec: S,
    readonly view: RecordView<S, Shown>,
  ) {
    this.fields = { ...spec.id, ...spec.fixed, ...spec.fields };
  }

  async list(
    sql: Sql,
    visibility: Visibility,
    { active, limit, cursor, ...filter }: ListQuery & { readonly q?: string } & Members,
  ): Promise<{ items: Listed<S>[]; nextCursor?: string }> {
    const { search, filters = {}, orderBy } = this.view;
    const where = this.view.visible(visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    for (const name of Object.keys(filters)) {
      if (filter[name] !== undefined) where.add(`${columnOf(name)} = ?`, filter[name]);
    }
    if (search !== undefined && filter.q !== undefined) {
      where.add(`concat_ws(' ', ${search.in.map(columnOf).join(', ')}) ILIKE ?`, likeText(filter.q));
    }
    this.view.narrow?.add(where, visibility, filter);
    const { rows, ...next } = await listPage<Members>(sql, {
      ...{ select: this.select(this.listed), from: this.from, where, text: columnOf(orderBy) },
      ...{ id: idColumn(this.spec), limit, cursor },
    });
    return { items: rows.map((row) => this.answerOf(row, this.listed, visibility) as Listed<S>), ...next };
  }

  /** Throws NotFound, also where it was deleted. */
  async get(sql: Sql, visibility: Visibility, id: string): Promise<Answer<S>> {
    const { lifecycle, noun } = this.spec;
    const where = this.view.visible(visibility).add(`${idColumn(this.spec)} = ?`, id);
    if (lifecycle === 'deleted') where.add('active');
    const [row] = await sql.query<Members>(
      `SELECT ${this.select(this.fields)} FROM ${this.from} ${where.sql()}`,
      where.values,
    );
    if (row === undefined) throw new NotFound(noun, id);
    return this.answerOf(row, this.fields, visibility) as Answer<S>;
  }

  /** The schema of a record as it is answered. */
  get answer(): JSONSchema {
    return this.answerWith(this.fields);
  }

  /** The schema of a record as lists show it. */
  get listedAnswer(): JSONSchema {
    return this.answerWith(this.listed);
  }

  private answerWith(fields: Fields): JSONSchema {
    const properties = {
      ...Object.fromEntries(Object.entries(fields).map(([name, { answered }]) => [name, answered])),
      ...recordProperties,
      ...(this.spec.lifecycle === 'deleted' && {
        active: { type: 'boolean', description: 'False: it was deleted.' } as const,
      }),
      ...Object.fromEntries(this.shown.map(([name, { schema }]) => [name, schema])),
    };
    return { type: 'object', required: Object.keys(properties), properties };
  }

  /** The schema of what a list is asked for. */
  get query(): JSONSchema {
    const { filters, narrow, search } = this.view;
    const q = search && {
      q: { type: 'string', minLength: 1, maxLength: 200, description: search.description } as const,
    };
    return {
      type: 'object',
      additionalProperties: false,
      properties: {
        ...listProperties,
        ...(filters as Readonly<Record<string, JSONSchema>>),
        ...narrow?.query,
        ...q,
      },
    };
  }

  private get from(): string {
    return this.view.from ?? this.spec.table;
  }

  private get listed(): Fields {
    return Object.fromEntries(Object.entries(this.fields).filter(([, { listed }]) => listed !== false));
  }

  private select(fields: Fields): string {
    const columns = Object.keys({ ...fields, ...recordProperties }).map(columnOf);
    return [...columns, ...this.shown.map(([name, { sql }]) => `${sql} AS "${name}"`)].join(', ');
  }

  private get shown(): [name: string, { readonly sql: string; readonly schema: JSONSchema }][] {
    return Object.entries(this.view.shows ?? {});
  }

  private answerOf(row: Members, fields: Fields, visibility: Visibility): Members {
    const own = Object.keys({ ...fields, ...recordProperties }).map((name) => [name, row[columnOf(name)]]);
    const shown = this.shown.map(([name]) => [name, row[name]]);
    const answer = Object.fromEntries([...own, ...shown]) as Members;
    return this.view.redact?.(answer, visibility) ?? answer;
  }
}
