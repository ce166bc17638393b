import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnMetadataArgs } from 'typeorm/metadata-args/ColumnMetadataArgs.js';

export interface Table {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** The SQL type of a column: `uuid`, `text[]`. */
  typeOf(column: string): string;
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
  const types = new Map(declared.map((column) => [column.propertyName, typeOf(column)]));
  return {
    name,
    key: declared.filter(({ options }) => options.primary).map(({ propertyName }) => propertyName),
    typeOf(column) {
      const type = types.get(column);
      if (type === undefined) throw new Error(`${row.name} has no column ${column}.`);
      return type;
    },
  };
}

function typeOf({ propertyName, options: { type, array } }: ColumnMetadataArgs): string {
  if (typeof type !== 'string') throw new Error(`The column ${propertyName} does not say its type.`);
  return array ? `${type}[]` : type;
}
