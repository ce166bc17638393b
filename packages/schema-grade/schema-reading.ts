/** Reading JSON Schemas for comparison: plain members, local references, equality of what constrains. */
export type Schema = Readonly<Record<string, unknown>>;

/** Keywords that say something about a schema and constrain nothing. */
const ANNOTATIONS = new Set([
  '$schema',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

export function alternatives(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Follows local references (`#/$defs/…`, `#`) that stand alone; one that leads nowhere accepts everything. */
export function resolve(schema: unknown, root: unknown): unknown {
  let current = schema;
  for (let steps = 0; steps < 50; steps++) {
    if (!isObject(current) || typeof current['$ref'] !== 'string' || constrains(current)) return current;
    current = at(root, current['$ref']);
  }
  return true;
}

function constrains(schema: Schema): boolean {
  return Object.keys(schema).some((keyword) => keyword !== '$ref' && !ANNOTATIONS.has(keyword));
}

function at(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#')) return true;
  let current = root;
  for (const segment of decoded(ref.slice(1)).split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(current) || !Object.hasOwn(current, name)) return true;
    current = current[name];
  }
  return current;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * Whether two schemas constrain alike, textually: annotations aside, members in any order. In `properties` and
 * its like names are names, not keywords.
 */
export function sameSchema(one: unknown, other: unknown): boolean {
  return equal(one, other, true);
}

/** Keywords whose members are named by the author, and those that hold values, not schemas. */
const NAME_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired']);
const VALUES = new Set(['enum', 'const']);

function equal(one: unknown, other: unknown, keywords: boolean): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => equal(item, other[index], keywords));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const counted = (schema: Schema) =>
    Object.keys(schema).filter((name) => !(keywords && ANNOTATIONS.has(name)) && schema[name] !== undefined);
  const names = counted(one);
  if (names.length !== counted(other).length) return false;
  return names.every((name) => {
    if (!Object.hasOwn(other, name)) return false;
    if (keywords && VALUES.has(name)) return sameValue(one[name], other[name]);
    return equal(one[name], other[name], !(keywords && NAME_MAPS.has(name)));
  });
}

/** Equality of values of `enum` and `const`: every member counts. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => sameValue(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameValue(one[name], other[name]))
  );
}
