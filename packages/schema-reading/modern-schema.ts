/** A schema of any dialect as an import reads it, to be compared with one that was imported. Pure. */
import { modernise } from './dialects.js';
import { judgePattern } from './judge-pattern.js';
import { isObject, type Json, type JsonObject } from './json.js';
import { allowsBoolean, fits, kindOf } from './keywords.js';
import { readEnum, readPattern, readRequired, readType } from './leaf-keywords.js';
import { negatesAll, withoutLeftovers } from './left-out.js';

const definitions = ['$defs', 'definitions'] as const;
const none: ReadonlySet<string> = new Set();

/** The input schema of a tool as JSON Schema 2020-12, always of an object. References stay, and what they lead to. */
export function modernInput(schema: JsonObject): JsonObject {
  const kept = definitions.flatMap((keyword) => {
    const value = schema[keyword];
    return isObject(value) ? [[keyword, named(keyword, value)] as const] : [];
  });
  return { ...modern(rootOf(schema)), ...Object.fromEntries(kept), type: 'object' };
}

/** What is written beside the reference of a root is not looked at, as in an import. */
function rootOf(schema: JsonObject): JsonObject {
  const { $ref } = schema;
  const [, keyword = '', name = ''] =
    typeof $ref === 'string' ? (/^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? []) : [];
  const all = schema[keyword];
  const target = isObject(all) && Object.hasOwn(all, name) ? all[name] : undefined;
  return isObject(target) ? target : schema;
}

function modern(schema: Json): JsonObject {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (!isObject(schema)) return {};
  const given = modernise(schema);
  const copy: JsonObject = {};
  for (const [keyword, value] of Object.entries(given)) {
    const read = keyword === '$ref' ? value : valueOf(keyword, value, given);
    if (read !== undefined && !negatesAll(keyword, read, value)) copy[keyword] = read;
  }
  return withoutLeftovers(copy, given);
}

function valueOf(keyword: string, value: Json, { type }: JsonObject): Json | undefined {
  if (keyword === 'type') return readType(value).value;
  if (keyword === 'enum') return readEnum(value, type).value;
  if (keyword === 'pattern') return readPattern(value).value;
  if (keyword === 'required') return readRequired(value, none).value;
  switch (kindOf(keyword)) {
    case 'schema':
      if (typeof value === 'boolean' && allowsBoolean(keyword)) return value;
      return isObject(value) || typeof value === 'boolean' ? modern(value) : undefined;
    case 'schemas':
      return Array.isArray(value) && value.length > 0 ? value.map(modern) : undefined;
    case 'namedSchemas':
      return isObject(value) ? named(keyword, value) : undefined;
    default:
      return fits(keyword, value) ? value : undefined;
  }
}

function named(keyword: string, schemas: JsonObject): JsonObject {
  const kept = Object.entries(schemas).filter(
    ([name]) => keyword !== 'patternProperties' || judgePattern(name) === 'fine',
  );
  return Object.fromEntries(kept.map(([name, schema]) => [name, modern(schema)]));
}
