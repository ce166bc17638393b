import {
  entriesOf,
  isObject,
  listMember,
  member,
  objectMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';

/** Places of a schema that are looked at; more than a person would write, and few enough for a hostile one. */
const MOST_PLACES = 4_000;
const DEEPEST = 24;

/** A schema of arguments in which one parameter, by its value, says which of the others there are. */
export class UnionSchema {
  private places = 0;

  /** @param by the parameter that tells the alternatives apart */
  constructor(
    private readonly root: JsonObject,
    private readonly by: string,
  ) {}

  /** Whether so many places had to be looked at that the answers leave some out. */
  get isTooLarge(): boolean {
    return this.places > MOST_PLACES;
  }

  /** The texts that the parameter may be; undefined where the schema leaves it open. */
  choices(): readonly Json[] | undefined {
    return this.choicesIn(this.root, 0);
  }

  /** Whether no arguments leave the parameter out. */
  isRequired(): boolean {
    return this.requires(this.root, 0);
  }

  /** The schema of those arguments alone in which the parameter has the value; undefined where there are none. */
  narrowedTo(value: string): JsonObject | undefined {
    const narrowed = this.narrowed(this.root, value, 0);
    return isObject(narrowed) ? narrowed : undefined;
  }

  private isDone(depth: number): boolean {
    this.places += 1;
    return depth > DEEPEST || this.isTooLarge;
  }

  private choicesIn(schema: Json | undefined, depth: number): readonly Json[] | undefined {
    if (!isObject(schema) || this.isDone(depth)) return undefined;
    const inner = (each: Json | undefined) => this.choicesIn(each, depth + 1);
    const unions = ['oneOf', 'anyOf'].map((keyword) => {
      const branches = listMember(schema, keyword).map(inner);
      return branches.length === 0 || branches.includes(undefined)
        ? undefined
        : branches.flatMap((each) => each ?? []);
    });
    const lists = [
      valuesOf(this.followed(objectMember(schema['properties'], this.by))),
      ...unions,
      ...listMember(schema, 'allOf').map(inner),
      ...(typeof schema['$ref'] === 'string' ? [inner(placeAt(this.root, schema['$ref']))] : []),
    ].filter((each) => each !== undefined);
    const [first, ...others] = lists;
    return first && [...new Set(first)].filter((value) => others.every((each) => each.includes(value)));
  }

  private requires(schema: Json | undefined, depth: number): boolean {
    if (!isObject(schema) || this.isDone(depth)) return false;
    const inner = (each: Json | undefined) => this.requires(each, depth + 1);
    const everyOf = (keyword: string) => {
      const branches = listMember(schema, keyword);
      return branches.length > 0 && branches.every(inner);
    };
    return (
      listMember(schema, 'required').includes(this.by) ||
      everyOf('oneOf') ||
      everyOf('anyOf') ||
      listMember(schema, 'allOf').some(inner) ||
      (typeof schema['$ref'] === 'string' && inner(placeAt(this.root, schema['$ref'])))
    );
  }

  private narrowed(schema: Json | undefined, value: string, depth: number): Json {
    if (!isObject(schema) || this.isDone(depth)) return schema ?? true;
    const inner = (each: Json | undefined) => this.narrowed(each, value, depth + 1);
    const {
      $ref,
      allOf: _all,
      oneOf: _one,
      anyOf: _any,
      if: condition,
      then,
      else: otherwise,
      ...own
    } = schema;
    const decided = this.decides(condition, value);
    const all = [
      ...listMember(schema, 'allOf').map(inner),
      ...(typeof $ref === 'string' ? [inner(placeAt(this.root, $ref))] : []),
      ...(decided === undefined ? [] : [inner(decided ? then : otherwise)]),
    ];
    const unions = (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
      Array.isArray(schema[keyword])
        ? [
            [
              keyword,
              listMember(schema, keyword)
                .map(inner)
                .filter((each) => each !== false),
            ] as const,
          ]
        : [],
    );
    const said = this.followed(objectMember(own['properties'], this.by));
    const isOpen = valuesOf(said)?.includes(value) ?? true;
    if (!isOpen || all.includes(false) || unions.some(([, branches]) => branches.length === 0)) return false;
    return {
      ...own,
      ...(said !== undefined && {
        properties: { ...objectMember(own, 'properties'), [this.by]: { const: value } },
      }),
      ...Object.fromEntries(unions),
      ...(all.length > 0 && { allOf: all }),
      ...(decided === undefined &&
        condition !== undefined &&
        present({ if: condition, then, else: otherwise })),
    };
  }

  /** Whether a condition holds for the value; undefined where it asks for more than the parameter. */
  private decides(condition: Json | undefined, value: string): boolean | undefined {
    if (!isObject(condition)) return undefined;
    const { type = 'object', properties, required = [], ...more } = condition;
    const [[name, said] = ['', null], ...others] = entriesOf(properties);
    const asksMore =
      Object.keys(more).length > 0 || others.length > 0 || !isObject(said) || Object.keys(said).length !== 1;
    if (type !== 'object' || name !== this.by || asksMore) return undefined;
    if (listMember({ required }, 'required').some((each) => each !== this.by)) return undefined;
    return valuesOf(said)?.includes(value);
  }

  private followed(schema: JsonObject | undefined): JsonObject | undefined {
    const reference = schema?.['$ref'];
    const found = typeof reference === 'string' ? placeAt(this.root, reference) : schema;
    return isObject(found) ? found : undefined;
  }
}

/** The names of the parameters that a schema of arguments has, in whichever of its branches. */
export function parameterNames(root: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  let places = 0;
  const collect = (schema: Json | undefined, depth: number): void => {
    places += 1;
    if (!isObject(schema) || depth > DEEPEST || places > MOST_PLACES) return;
    for (const [name] of entriesOf(schema['properties'])) names.add(name);
    for (const keyword of ['allOf', 'oneOf', 'anyOf'])
      for (const each of listMember(schema, keyword)) collect(each, depth + 1);
    for (const keyword of ['then', 'else']) collect(schema[keyword], depth + 1);
    if (typeof schema['$ref'] === 'string') collect(placeAt(root, schema['$ref']), depth + 1);
  };
  collect(root, 0);
  return names;
}

function valuesOf(schema: JsonObject | undefined): readonly Json[] | undefined {
  if (schema?.['const'] !== undefined) return [schema['const']];
  return Array.isArray(schema?.['enum']) ? listMember(schema, 'enum') : undefined;
}

/** What a reference within the schema leads to. */
export function placeAt(root: Json, pointer: string): Json | undefined {
  let place: Json | undefined = root;
  for (const step of pointer.split('/').slice(1)) {
    const name = unescaped(step);
    place = Array.isArray(place) ? (place as readonly Json[])[Number(name)] : member(place, name);
  }
  return place;
}

function unescaped(step: string): string {
  return decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A step that is no text of a URI stands for itself. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
