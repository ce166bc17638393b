/** What of a schema a package holds values to, in every language alike. */
import { fits, isObject, kindOf, type Json, type JsonObject } from '../schema-reading/keywords.js';
import { portablePattern } from './portable-pattern.js';
import type { Warn } from './tool-interface.js';

export interface CheckedSchema {
  /** As it was given, without what is malformed; references are plain pointers to places in it. */
  readonly schema: JsonObject;
  /** Expressions that are checked. */
  readonly patterns: ReadonlySet<string>;
}

/** Keywords that would refuse something, and are passed over. */
const PASSED_OVER = new Map([
  ['unevaluatedProperties', 'Use additionalProperties.'],
  ['unevaluatedItems', 'Use items.'],
  ['$dynamicRef', 'Use $ref.'],
  ['$recursiveRef', 'Use $ref.'],
  ['$id', 'Leave it out: references are read from the root.'],
]);

/** @param at pointer of the schema in its spec: `/inputSchema` */
export function checkedSchema(given: JsonObject, at: string, warn: Warn): CheckedSchema {
  const first = new Cleaner(new Set(), () => undefined);
  first.clean(given, '');
  const second = new Cleaner(first.places, (pointer, code, detail) => {
    warn(at + pointer, code, detail);
  });
  const schema = second.clean(given, '');
  return { schema: isObject(schema) ? schema : {}, patterns: second.patterns };
}

class Cleaner {
  readonly places = new Set<string>();
  readonly patterns = new Set<string>();

  /** @param targets pointers of all schemas in the root */
  constructor(
    private readonly targets: ReadonlySet<string>,
    private readonly warn: Warn,
  ) {}

  clean(schema: Json, at: string): Json {
    this.places.add(at);
    if (!isObject(schema)) return schema === false ? false : true;
    const members = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      const kept = this.keyword(keyword, value, at + step(keyword));
      return kept === undefined ? [] : [[keyword, kept]];
    });
    return Object.fromEntries(members);
  }

  private keyword(keyword: string, value: Json, at: string): Json | undefined {
    const instead = PASSED_OVER.get(keyword);
    if (instead !== undefined && value !== true && !(isObject(value) && Object.keys(value).length === 0))
      this.warn(at, 'not_checked', `${keyword} is not checked. ${instead}`);
    if (keyword === '$ref') return this.reference(value, at);
    if (keyword === 'pattern' && typeof value === 'string') this.pattern(value, at);
    if (keyword === '$defs' || keyword === 'definitions') return this.named(value, at);
    if (keyword === 'type') return isType(value) ? value : this.malformed(keyword, at);
    if (keyword === 'enum') return Array.isArray(value) ? value : this.malformed(keyword, at);
    switch (kindOf(keyword)) {
      case undefined:
        return value;
      case 'schema':
        return isObject(value) || typeof value === 'boolean'
          ? this.clean(value, at)
          : this.malformed(keyword, at);
      case 'schemas':
        return Array.isArray(value) && value.length > 0
          ? value.map((schema, index) => this.clean(schema, `${at}/${String(index)}`))
          : this.malformed(keyword, at);
      case 'namedSchemas':
        if (keyword === 'patternProperties' && isObject(value))
          for (const pattern of Object.keys(value)) this.pattern(pattern, at + step(pattern));
        return this.named(value, at) ?? this.malformed(keyword, at);
      default:
        return fits(keyword, value) ? value : this.malformed(keyword, at);
    }
  }

  private named(value: Json, at: string): Json | undefined {
    if (!isObject(value)) return undefined;
    const schemas = Object.entries(value).map(([name, schema]): [string, Json] => [
      name,
      this.clean(schema, at + step(name)),
    ]);
    return Object.fromEntries(schemas);
  }

  private reference(value: Json, at: string): Json | undefined {
    const target = typeof value === 'string' ? pointerOf(value) : undefined;
    if (target !== undefined && this.targets.has(target)) return `#${target}`;
    this.warn(
      at,
      'not_checked',
      'This reference leads to no schema in the spec. Write what it means in $defs.',
    );
    return undefined;
  }

  private pattern(pattern: string, at: string): void {
    const read = portablePattern(pattern, 'typescript');
    if ('source' in read) this.patterns.add(pattern);
    else
      this.warn(
        at,
        'not_checked',
        `The regular expression ${read.why}: it is checked in no language. Simplify it.`,
      );
  }

  private malformed(keyword: string, at: string): Json | undefined {
    this.warn(at, 'not_checked', `${keyword} can’t have this value in JSON Schema 2020-12: it was left out.`);
    return undefined;
  }
}

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

function isType(value: Json): boolean {
  const types = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.has(type));
}

/** One step of a pointer (RFC 6901). */
export function step(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** `#/$defs/a%20b` to `/$defs/a b`; undefined where it is none within the root. */
function pointerOf(reference: string): string | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}

/** The schema that a reference of a checked schema leads to. */
export function resolve(root: Json, reference: string): Json | undefined {
  let place: Json | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as JsonObject)[name];
  }
  return place;
}
