import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs.js';

/** How values of one column travel in an array parameter. */
export interface Column {
  /** Type of the parameter: `uuid[]`. */
  readonly arrayType: string;
  /** One value as an element of the parameter. */
  encode(value: unknown): unknown;
  /** SQL that makes the column's value of the element. */
  decode(element: string): string;
}

export interface Table {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  column(name: string): Column;
}

const known = new WeakMap<object, Table>();

/** The table of an entity class, whose property names are the column names. */
export function tableOf(row: abstract new () => object): Table {
  const table = known.get(row) ?? readTable(row);
  known.set(row, table);
  return table;
}

function readTable(row: abstract new () => object): Table {
  const storage = getMetadataArgsStorage();
  const name = storage.tables.find(({ target }) => target === row)?.name;
  if (name === undefined) throw new Error(`${row.name} is no entity with a table name.`);
  const declared = storage.columns.filter(({ target }) => target === row);
  const columns = new Map(declared.map((column) => [column.propertyName, columnOf(column)]));
  return {
    name,
    key: declared.filter(({ options }) => options.primary).map(({ propertyName }) => propertyName),
    column(wanted) {
      const column = columns.get(wanted);
      if (column === undefined) throw new Error(`${row.name} has no column ${wanted}.`);
      return column;
    },
  };
}

function columnOf({ propertyName, options }: ColumnMetadataArgs): Column {
  const type = typeof options.type === 'string' ? options.type : undefined;
  if (type === undefined) throw new Error(`The column ${propertyName} does not say its type.`);
  if (options.array) {
    // unnest() would take arrays of arrays apart to the ground: they travel as text.
    return {
      arrayType: 'text[]',
      encode: (value) => (value == null ? null : arrayLiteral(value as readonly unknown[])),
      decode: (element) => `${element}::${type}[]`,
    };
  }
  const json = type === 'jsonb' || type === 'json';
  return {
    arrayType: `${type === 'varchar' ? 'text' : type}[]`,
    encode: json ? (value) => (value == null ? null : JSON.stringify(value)) : (value) => value ?? null,
    decode: (element) => element,
  };
}

function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(elementLiteral).join(',')}}`;
}

function elementLiteral(value: unknown): string {
  if (value == null) return 'NULL';
  if (Array.isArray(value)) return arrayLiteral(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
