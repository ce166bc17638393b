import {
  definitionNamed,
  entriesOf,
  isObject,
  listMember,
  textsOf,
  type Json,
  type JsonObject,
} from '../../documents/json.js';

/** Definitions that some value of an end fits, known from before. */
const finite = new WeakSet<JsonObject>();

/** Asks for nothing that would have no end: an object, or a list, that must hold one of its own kind. */
export function withFiniteDefinitions(schema: JsonObject, changes: Set<string>): JsonObject {
  const definitions = new Map(entriesOf(schema['$defs']));
  const hasEnd = (value: Json): boolean => {
    if (!isObject(value) || finite.has(value)) return true;
    return ofParts(value) && ofObject(value);
  };
  const ofParts = (value: JsonObject): boolean => {
    const name = typeof value['$ref'] === 'string' ? definitionNamed(value['$ref']) : undefined;
    const target = name === undefined ? undefined : definitions.get(name);
    if (isObject(target) && !finite.has(target)) return false;
    if (!listMember(value, 'allOf').every(hasEnd)) return false;
    return ['anyOf', 'oneOf'].every((keyword) => {
      const branches = listMember(value, keyword);
      return branches.length === 0 || branches.some(hasEnd);
    });
  };
  const ofObject = (value: JsonObject): boolean => {
    const { type, items, minItems } = value;
    if (type === 'array') return typeof minItems !== 'number' || minItems === 0 || hasEnd(items ?? {});
    return type !== 'object' || endless(value).length === 0;
  };
  const endless = ({ properties, required }: JsonObject): readonly string[] => {
    const names = textsOf({ required: required ?? [] }, 'required');
    return names.filter(
      (name) => isObject(properties) && Object.hasOwn(properties, name) && !hasEnd(properties[name] ?? {}),
    );
  };
  settle([...definitions.values()], hasEnd);
  const broken = [...definitions].filter(([, value]) => isObject(value) && !finite.has(value));
  const objects = broken.flatMap(([name, value]): [string, Json][] => {
    const names = isObject(value) && value['type'] === 'object' ? endless(value) : [];
    if (!isObject(value) || names.length === 0) return [];
    changes.add(
      `${names.map((each) => `"${each}"`).join(', ')} of ${name} is required and would have no end`,
    );
    const left = textsOf(value, 'required').filter((each) => !names.includes(each));
    const { required: _, ...rest } = value;
    return [[name, left.length === 0 ? rest : { ...rest, required: left }]];
  });
  const freed = objects.length > 0 ? objects : broken.flatMap((each) => freedList(each, changes));
  if (freed.length === 0) return schema;
  // A list that had no end by an object alone has one now.
  const $defs = { ...Object.fromEntries(definitions), ...Object.fromEntries(freed) };
  return withFiniteDefinitions({ ...schema, $defs }, changes);
}

function freedList([name, value]: readonly [string, Json], changes: Set<string>): [string, Json][] {
  if (!isObject(value) || value['type'] !== 'array' || value['minItems'] === undefined) return [];
  changes.add(`minItems of ${name} asks for items of its own kind, which would have no end`);
  const { minItems: _, ...open } = value;
  return [[name, open]];
}

/** Finds those that have an end until no more are found. */
function settle(definitions: readonly Json[], hasEnd: (value: Json) => boolean): void {
  for (let open = definitions.filter(isObject), before = -1; open.length !== before;) {
    before = open.length;
    for (const each of open) if (hasEnd(each)) finite.add(each);
    open = open.filter((each) => !finite.has(each));
  }
}
