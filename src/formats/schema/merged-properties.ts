import { isObject, type Json } from '../../documents/json.js';
import { canonicalJson } from '../../kernel/canonical-json.js';

/** The properties of several shapes: one that two describe differently takes what both say (`allOf`), or what one of them does. */
export function propertiesOf(
  shapes: readonly { readonly properties: ReadonlyMap<string, Json> }[],
  keyword: 'allOf' | 'anyOf',
): Map<string, Json> {
  const found = new Map<string, Json[]>();
  for (const { properties } of shapes) {
    for (const [name, schema] of properties) {
      const variants = found.get(name);
      if (variants) variants.push(schema);
      else found.set(name, [schema]);
    }
  }
  return new Map([...found].map(([name, variants]) => [name, oneSchema(distinct(variants), keyword)]));
}

/** Each once, whatever the order of its members; a single one, the common case, is not written out for that. */
function distinct(variants: readonly Json[]): readonly Json[] {
  if (variants.length === 1) return variants;
  return [...new Map(variants.map((schema) => [canonicalJson({ schema }), schema])).values()];
}

function oneSchema(variants: readonly Json[], keyword: 'allOf' | 'anyOf'): Json {
  if (variants.length === 1) return variants[0] as Json;
  const values = variants.map(plainEnum);
  if (keyword === 'anyOf' && !values.includes(undefined)) {
    return { type: 'string', enum: [...new Set(values.flatMap((list) => list ?? []))] };
  }
  return { [keyword]: [...variants] };
}

/** The texts of a schema that is no more than an enum of them. */
function plainEnum(schema: Json): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  const plain = Object.keys(schema).every((keyword) =>
    ['type', 'enum', 'const', 'description', 'title'].includes(keyword),
  );
  return plain && Array.isArray(values) && values.every((value) => typeof value === 'string')
    ? values
    : undefined;
}
