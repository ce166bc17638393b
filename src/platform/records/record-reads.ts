import type { JSONSchema } from 'json-schema-to-ts';
import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../auth/visibility.js';
import { type Conditions, holdsEach } from '../database/conditions.js';
import { listPage } from '../database/page.js';
import { listProperties, recordProperties, sortSchema, type ListQuery } from '../http/schemas.js';
import { columnOf, type Fields, type Values } from './fields.js';
import type { Members, RecordSpec } from './record-spec.js';

/** Ids by the names that paths give them. */
type Ids = Readonly<Record<string, string>>;

/** The part of a declaration that reads need. It may be that of a link, or of a noun that is no {@link record}. */
export type Readable = Pick<RecordSpec, 'noun' | 'table' | 'id' | 'fixed' | 'fields' | 'lifecycle'> & {
  /** The refusal where there is no such record. */
  readonly missing?: (ids: never) => NotFound;
};

type FieldName<S extends Readable> = string & keyof (S['id'] & S['fixed'] & S['fields']);

/** How a noun is read: which rows, with which members beside its fields. */
export interface RecordView<S extends Readable, Shown extends string> {
  /** Limits the rows to those that a reader sees; of links to those of the record at the first end. */
  visible(visibility: Visibility, parent: string): Conditions;
  /** Of links: throws NotFound where the reader does not see the record at the first end. */
  readonly requireParent?: (sql: Sql, visibility: Visibility, id: string) => Promise<unknown>;
  /** FROM clause; the table alone unless given. */
  readonly from?: string;
  /** Members of answers that are no fields, with their SQL; the column of that name unless given. */
  readonly shows?: Readonly<Record<Shown, { readonly sql?: string; readonly schema: JSONSchema }>>;
  /** The text by which lists are ordered; ties go by the last id. */
  readonly orderBy: FieldName<S> | NoInfer<Shown>;
  readonly id?: string;
  /** Filters of lists, with the schemas of their parameters. */
  readonly filters?: Readonly<Partial<Record<FieldName<S> | NoInfer<Shown>, JSONSchema>>>;
  /** The texts that `q` searches, and the description of `q` in the OpenAPI document. */
  readonly search?: { readonly in: readonly (FieldName<S> | NoInfer<Shown>)[]; readonly description: string };
  /** Filters that are no fields. */
  readonly narrow?: {
    readonly query: Readonly<Record<string, JSONSchema>>;
    add(where: Conditions, visibility: Visibility, query: Members): void;
  };
  /** Removes what this reader may not see. */
  readonly redact?: (answer: Members, visibility: Visibility) => Members;
  /** Completes rows with what no join can give; called once for each read. */
  readonly completing?: (
    sql: Sql,
    visibility: Visibility,
    parent: string,
  ) => Promise<(row: Members) => object>;
  /** Whether deleted records can still be read by id. */
  readonly keepsRemoved?: true;
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

/** What a list may be asked beside its filters. */
interface Asked {
  readonly q?: string;
  readonly sort?: string;
}

/** How records of a noun are read: lists and single ones. */
export class RecordReads<S extends Readable, Shown extends string = never> {
  private readonly fields: Fields;

  constructor(
    readonly spec: S,
    readonly view: RecordView<S, Shown>,
  ) {
    this.fields = { ...spec.id, ...spec.fixed, ...spec.fields };
  }

  /** Lists a page; of links those of the record that `ids` names. Throws NotFound where there is no such record. */
  async list(
    sql: Sql,
    visibility: Visibility,
    { active, limit, cursor, sort, ...filter }: ListQuery & Asked & Members,
    ids: Ids = {},
  ): Promise<{ items: Listed<S>[]; nextCursor?: string }> {
    const { search, filters = {}, orderBy, id = columnOf(this.ids.at(-1) ?? '') } = this.view;
    const where = await this.seen(sql, visibility, ids);
    if (active !== 'all') where.add('active = ?', active === 'true');
    for (const name of Object.keys(filters)) {
      if (filter[name] !== undefined) where.add(`${columnOf(name)} = ?`, filter[name]);
    }
    if (search !== undefined && filter.q !== undefined) {
      where.add(...holdsEach(`concat_ws(' ', ${search.in.map(columnOf).join(', ')})`, filter.q));
    }
    this.view.narrow?.add(where, visibility, filter);
    const { rows, ...next } = await listPage<Members>(sql, {
      ...{ select: this.select(this.listed), from: this.from, where, text: columnOf(orderBy) },
      ...{ id, limit, cursor, sort },
    });
    const answer = await this.answering(sql, visibility, ids, this.listed);
    return { items: rows.map(answer) as Listed<S>[], ...next };
  }

  /** Throws NotFound, also for a deleted record, unless the view keeps those. */
  async get(sql: Sql, visibility: Visibility, wanted: string | Ids): Promise<Answer<S>> {
    const { lifecycle, noun, missing } = this.spec;
    const ids = typeof wanted === 'string' ? { [this.ids.join()]: wanted } : wanted;
    const where = await this.seen(sql, visibility, ids);
    if (lifecycle === 'deleted' && this.view.keepsRemoved !== true) where.add('active');
    const [row] = await sql.query<Members>(
      `SELECT ${this.select(this.fields)} FROM ${this.from} ${where.sql()}`,
      where.values,
    );
    if (row === undefined) throw missing?.(ids as never) ?? new NotFound(noun, ids[this.ids.join()] ?? '');
    return (await this.answering(sql, visibility, ids, this.fields))(row) as Answer<S>;
  }

  /** Conditions for the rows that the ids name and the reader sees. */
  private async seen(sql: Sql, visibility: Visibility, ids: Ids): Promise<Conditions> {
    const parent = ids[this.ids[0] ?? ''] ?? '';
    await this.view.requireParent?.(sql, visibility, parent);
    const where = this.view.visible(visibility, parent);
    for (const [name, id] of Object.entries(ids)) where.add(`${columnOf(name)} = ?`, id);
    return where;
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
        active: { type: 'boolean', description: `False: ${this.removed}.` } as const,
      }),
      ...Object.fromEntries(this.shown.map(([name, { schema }]) => [name, schema])),
    };
    return { type: 'object', required: Object.keys(properties), properties };
  }

  /** The schema of a list's query. */
  get query(): JSONSchema {
    const { filters, narrow, search, orderBy } = this.view;
    const q = search && {
      q: { type: 'string', minLength: 1, maxLength: 200, description: search.description } as const,
    };
    return {
      type: 'object',
      additionalProperties: false,
      properties: {
        ...listProperties,
        sort: sortSchema(orderBy),
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

  private get ids(): readonly string[] {
    return Object.keys(this.spec.id);
  }

  private get removed(): string {
    return this.ids.length > 1 ? 'the link was taken away' : 'it was deleted';
  }

  private select(fields: Fields): string {
    // The completing step may need any joined column.
    if (this.view.completing !== undefined) return '*';
    const columns = Object.keys({ ...fields, ...recordProperties }).map(columnOf);
    const shown = this.shown.map(([name, { sql }]) =>
      sql === undefined ? columnOf(name) : `${sql} AS "${name}"`,
    );
    return [...columns, ...shown].join(', ');
  }

  private get shown(): [name: string, { readonly sql?: string; readonly schema: JSONSchema }][] {
    return Object.entries(this.view.shows ?? {});
  }

  private async answering(sql: Sql, visibility: Visibility, ids: Ids, fields: Fields) {
    const { completing, redact } = this.view;
    const completed = await completing?.(sql, visibility, ids[this.ids[0] ?? ''] ?? '');
    const named = Object.keys({ ...fields, ...recordProperties }).map(
      (name) => [name, columnOf(name)] as const,
    );
    const shown = this.shown.map(
      ([name, { sql: said }]) => [name, said === undefined ? columnOf(name) : name] as const,
    );
    return (row: Members): Members => {
      const members = [...named, ...shown].map(([name, column]) => [name, row[column]] as const);
      const answer = { ...Object.fromEntries(members), ...completed?.(row) };
      return redact?.(answer, visibility) ?? answer;
    };
  }
}
