import pg from 'pg';

const { builtins } = pg.types;
const text = (value: string): string => value;
/** pg's own parsers; their declaration knows no arrays. */
const standardParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;

/** `_int8`, `_numeric`, `_jsonb`, `_timestamptz` and `_text`: not among pg's named types. */
const ARRAY = { int8: 1016, numeric: 1231, jsonb: 3807, timestamptz: 1185, text: 1009 } as const;

const parsers: Readonly<Record<number, (value: string) => unknown>> = {
  [builtins.INT8]: Number,
  [builtins.NUMERIC]: Number,
  [builtins.TIMESTAMPTZ]: rfc3339,
  [builtins.DATE]: text,
  [builtins.TIMESTAMP]: text,
  [ARRAY.int8]: (value) => elementsOf(value).map((element) => (element === null ? null : Number(element))),
  [ARRAY.numeric]: (value) => elementsOf(value).map((element) => (element === null ? null : Number(element))),
  [ARRAY.timestamptz]: (value) =>
    elementsOf(value).map((element) => (element === null ? null : rfc3339(element))),
  [ARRAY.jsonb]: (value) =>
    elementsOf(value).map((element): unknown => (element === null ? null : JSON.parse(element))),
};

/**
 * How values of the database become values of the program: `bigint` and `numeric` a number (positions and counts
 * stay far below 2^53), `timestamptz` RFC 3339 text in UTC with milliseconds, `date` and `timestamp` their text,
 * `json` and `jsonb` parsed; all else as pg has it. Connections run with `timezone = UTC`.
 */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = format === 'binary' ? undefined : parsers[oid];
    return own ?? standardParser(oid, format);
  },
};

function elementsOf(value: string): (string | null)[] {
  return standardParser(ARRAY.text)(value) as (string | null)[];
}

/** `2026-11-21 01:02:03.4+00` to `2026-11-21T01:02:03.400Z`; what is no such text (`infinity`) stays. */
function rfc3339(value: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(value);
  if (parts === null) return value;
  const [, day = '', clock = '', fraction = ''] = parts;
  return `${day}T${clock}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
