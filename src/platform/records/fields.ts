import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { tableOf, type Table } from '../database/row-changes.js';

/** Types of columns that fields are kept in. */
export type SqlType =
  'uuid' | 'text' | 'text[]' | 'boolean' | 'integer' | 'double precision' | 'bigint' | 'jsonb';

/** One field of a record or a link: its shape in events, requests, answers and tables. */
export interface Field<Stored = unknown, Shown = unknown> {
  readonly sql: SqlType;
  /** JSON Schema of the value in events. Events are kept for good: it may widen, and never narrows. */
  readonly stored: JSONSchema & Stored;
  /** JSON Schema of the value in requests; with `default` a request may leave it out. */
  readonly shown: JSONSchema & Shown;
  /** JSON Schema of the value in answers: that of requests without its default, unless said otherwise. */
  readonly answered: JSONSchema;
  /** Whether a request may leave it out although it has no default: the use case says what it is then. */
  readonly optional?: true;
  /** False where lists leave it out, since it may be long. */
  readonly listed?: false;
  /** Whether it was added later: older events lack it and mean its default. */
  readonly later?: true;
}

/** Fields by the names that events, requests and answers give them. */
export type Fields = Readonly<Record<string, Field>>;

/** The values of fields as events hold them. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer Stored> ? ValueOf<Stored> : never;
};

/** The values of fields as requests bring them, with defaults filled in. */
export type Given<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends IsOptional ? never : Name]: GivenValue<F[Name]>;
} & {
  readonly [Name in keyof F as F[Name] extends IsOptional ? Name : never]?: GivenValue<F[Name]>;
};

/** The values of fields for a new record: those with a default may be left out. */
export type New<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends HasDefault ? never : Name]: Values<F>[Name];
} & {
  readonly [Name in keyof F as F[Name] extends HasDefault ? Name : never]?: Values<F>[Name];
};

type HasDefault = Field<unknown, { readonly default: unknown }>;
interface IsOptional {
  readonly optional: true;
}
type GivenValue<F extends Field> = F extends Field<unknown, infer Shown> ? ValueOf<Shown> : never;
type ValueOf<Schema> = Schema extends JSONSchema ? FromSchema<Schema> : never;

/** Declares a field; without `stored`, events hold just what requests may bring. */
export function field<const Shown extends JSONSchema>(spec: {
  readonly sql: SqlType;
  readonly shown: Shown;
  readonly answered?: JSONSchema;
}): Field<Shown, Shown>;
export function field<const Stored extends JSONSchema, const Shown extends JSONSchema>(spec: {
  readonly sql: SqlType;
  readonly shown: Shown;
  readonly stored: Stored;
  readonly answered?: JSONSchema;
}): Field<Stored, Shown>;
export function field(
  spec: Pick<Field, 'sql' | 'shown'> & Partial<Pick<Field, 'stored' | 'answered'>>,
): Field {
  return { stored: spec.shown, answered: withoutDefault(spec.shown), ...spec };
}

/** Marks a field that a request may leave out, though it has no default. */
export function optional<F extends Field>(declared: F): F & IsOptional {
  return { ...declared, optional: true };
}

/** Marks a field that lists leave out. */
export function unlisted<F extends Field>(declared: F): F & { readonly listed: false } {
  return { ...declared, listed: false };
}

/** Marks a field that was added later: older events lack it and mean its default. */
export function later<F extends Field>(declared: F): F {
  return { ...declared, later: true };
}

/** The defaults of fields by their names. */
export function defaultsOf(fields: Fields): Readonly<Record<string, unknown>> {
  const shown = Object.entries(fields).map(([name, field]) => [name, field.shown] as const);
  return Object.fromEntries(
    shown.flatMap(([name, schema]) =>
      schema instanceof Object && 'default' in schema ? [[name, schema.default] as const] : [],
    ),
  );
}

function withoutDefault(schema: JSONSchema): JSONSchema {
  if (!(schema instanceof Object)) return schema;
  const { default: _default, ...rest } = schema;
  return rest;
}

/** The schema of a body that brings the fields; what has a default or is optional may be left out. */
export function bodyOf(fields: Fields): {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, JSONSchema>>;
} {
  const required = Object.entries(fields)
    .filter(
      ([, { shown, optional }]) => optional !== true && !(shown instanceof Object && 'default' in shown),
    )
    .map(([name]) => name);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: shownOf(fields),
  };
}

/** The schema of a body that changes fields; those left out stay. */
export function patchOf(fields: Fields): Omit<ReturnType<typeof bodyOf>, 'required'> {
  const shown = Object.entries(shownOf(fields)).map(
    ([name, schema]) => [name, withoutDefault(schema)] as const,
  );
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(shown) };
}

/** The schemas of fields in requests, by their names. */
export function shownOf(fields: Fields): Readonly<Record<string, JSONSchema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { shown }]) => [name, shown]));
}

/** The id of another record. */
export const idField = field({
  sql: 'uuid',
  shown: { type: 'string', format: 'uuid' },
  stored: { type: 'string' },
});

/** The name of the column of a field: `dependsOnSkillId` is `depends_on_skill_id`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Anything that has a column of its own. */
export type HasColumn = Pick<Field, 'sql'>;

/** The columns that every table of a record or link ends with. */
const recordColumns = {
  aggregate_version: 'bigint',
  active: 'boolean',
  update_ts: 'timestamptz',
  update_user: 'text',
  position: 'bigint',
} as const;

/** The table of the fields; its primary key is the host and the fields of `key`. */
export function tableOfFields(name: string, key: Fields, fields: Readonly<Record<string, HasColumn>>): Table {
  const own = Object.entries({ ...key, ...fields }).map(
    ([field, { sql }]) => [columnOf(field), sql] as const,
  );
  const types = { host_id: 'uuid', ...Object.fromEntries(own), ...recordColumns };
  return tableOf<Readonly<Record<string, string>>>(
    name,
    ['host_id', ...Object.keys(key).map(columnOf)],
    types,
  );
}

/** The values under the names of their columns. */
export function toColumns(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [columnOf(name), value]));
}

/** The members with these names, in their order. */
export function pick<M extends object>(members: M, names: object): M {
  return Object.fromEntries(Object.keys(names).map((name) => [name, Reflect.get(members, name)])) as M;
}
