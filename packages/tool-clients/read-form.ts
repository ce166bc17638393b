import { isObject, type Json, type JsonObject } from '../schema-reading/keywords.js';
import { resolve, step } from './checked-schema.js';
import { unionOf, unknown, type Form, type FormDocument, type Member, type Scalar } from './form.js';
import { FormMerger } from './merged-form.js';
import type { Warn } from './tool-interface.js';

/**
 * Reads a checked schema as a form. Whatever the schema takes is of the form; what the form can't say becomes a wider one, with
 * a warning.
 *
 * @param at pointer of the schema in its spec
 */
export function readForm(schema: JsonObject, at: string, warn: Warn): FormDocument {
  return new FormReader(schema, at, warn).document();
}

/** Of types within each other: each has two brackets at most, and Python reads 200 of them. */
const MOST_NESTED = 64;
/** Of the same with all definitions that are being read: what leads from one to the next, thousands of them, is no end of calls. */
const MOST_OPEN = 500;
const tooDeep = 'What is nested this deep is checked, not typed. Give parts of it names in $defs.';

/** Keywords that say what a value is, not only what it may not be. */
const TELLING = [
  'type',
  'const',
  'enum',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'properties',
  'required',
  'items',
  'prefixItems',
];

class FormReader {
  private readonly definitions = new Map<string, Form>();
  /** How many definitions were read before each. */
  private readonly places = new Map<string, number>();
  private readonly open = new Set<string>();
  /** Schemas that are being read: all of them, and those of the innermost definition. */
  private opened = 0;
  private nested = 0;
  private readonly merger = new FormMerger((to) => this.definition(to));

  constructor(
    private readonly root: JsonObject,
    private readonly at: string,
    private readonly warn: Warn,
  ) {}

  document(): FormDocument {
    const root = this.read(this.root, '', true);
    return { root, definitions: this.definitions };
  }

  /** @param certain whether defaults are filled in at this place, however it is reached */
  private read(schema: Json, at: string, certain: boolean): Form {
    if (schema === false) return this.wider(at, 'Nothing is allowed here, and no type says so.');
    if (!isObject(schema)) return unknown;
    if (this.nested === MOST_NESTED || this.opened === MOST_OPEN) return this.wider(at, tooDeep);
    this.nested += 1;
    this.opened += 1;
    const form = this.readParts(schema, at, certain);
    this.nested -= 1;
    this.opened -= 1;
    return form;
  }

  private readParts(schema: JsonObject, at: string, certain: boolean): Form {
    const { $ref, allOf, ...rest } = schema;
    if (typeof $ref !== 'string' && !Array.isArray(allOf)) return this.readAlone(schema, at, certain);
    const parts = [
      ...(says(rest) ? [this.readAlone(rest, at, certain)] : []),
      ...(typeof $ref === 'string' ? [this.reference($ref, at)] : []),
      ...(Array.isArray(allOf) ? allOf : []).flatMap((part, index) =>
        says(part) ? [this.read(part, `${at}/allOf/${String(index)}`, certain)] : [],
      ),
    ];
    const form = this.merger.merged(parts);
    return form ?? this.wider(at, 'The parts of allOf don’t come to one type. Write one schema of them.');
  }

  private readAlone(schema: JsonObject, at: string, certain: boolean): Form {
    if (schema['const'] !== undefined) return this.literals([schema['const']], at);
    if (Array.isArray(schema['enum'])) return this.literals(schema['enum'], at);
    const keyword = Array.isArray(schema['anyOf']) ? 'anyOf' : 'oneOf';
    const branches = schema[keyword];
    if (Array.isArray(branches) && branches.every(says) && !saysMore(schema)) {
      const { [keyword]: _branches, ...rest } = schema;
      return this.union(branches, rest, `${at}/${keyword}`);
    }
    const { type } = schema;
    if (type === undefined) return this.untyped(schema, at);
    if (Array.isArray(branches) && branches.some(says))
      this.notTyped(`${at}/${keyword}`, 'Alternatives beside members are checked, not typed.');
    const types = Array.isArray(type) ? type : [type];
    return unionOf(types.map((name) => this.ofType(name, schema, at, certain)));
  }

  private union(branches: readonly Json[], rest: JsonObject, at: string): Form {
    const forms = branches.map((branch, index) => {
      const { type } = rest;
      const inherits =
        type !== undefined && isObject(branch) && !Object.hasOwn(branch, 'type') && !isChoice(branch);
      return this.read(inherits ? { ...branch, type } : branch, `${at}/${String(index)}`, false);
    });
    return unionOf(forms);
  }

  private untyped(schema: JsonObject, at: string): Form {
    if (['properties', 'items', 'prefixItems', 'additionalProperties'].some((name) => name in schema))
      return this.wider(at, 'No type is said, so a value of any type is taken. Add one: "type": "object".');
    return unknown;
  }

  private ofType(type: Json, schema: JsonObject, at: string, certain: boolean): Form {
    switch (type) {
      case 'object':
        return this.object(schema, at, certain);
      case 'array':
        return this.array(schema, at, certain);
      case 'null':
      case 'boolean':
      case 'integer':
      case 'number':
      case 'string':
        return { kind: type };
      default:
        return unknown;
    }
  }

  private array(schema: JsonObject, at: string, certain: boolean): Form {
    const { prefixItems, items } = schema;
    const rest = items === undefined ? unknown : this.readItems(items, `${at}/items`, certain);
    if (!Array.isArray(prefixItems)) return { kind: 'array', items: rest ?? unknown };
    const places = prefixItems.map((place, index) =>
      this.read(place, `${at}/prefixItems/${String(index)}`, certain),
    );
    const minItems = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
    const tuple = { kind: 'tuple', places, required: Math.min(minItems, places.length) } as const;
    return rest === undefined ? tuple : { ...tuple, rest };
  }

  /** Undefined where there are none. */
  private readItems(items: Json, at: string, certain: boolean): Form | undefined {
    return items === false ? undefined : this.read(items, at, certain);
  }

  private object(schema: JsonObject, at: string, certain: boolean): Form {
    const members = this.members(schema, at, certain);
    const further = this.further(schema, at);
    if (members.length > 0) return { kind: 'object', members, ...(further !== undefined && { further }) };
    if (further === undefined && schema['additionalProperties'] === false) return { kind: 'object', members };
    return { kind: 'map', values: further ?? unknown };
  }

  private members(schema: JsonObject, at: string, certain: boolean): readonly Member[] {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []);
    const listed = Object.entries(properties).flatMap(([name, property]): Member[] => {
      if (property === false) return [];
      const form = this.read(property, `${at}/properties${step(name)}`, certain);
      const given = isObject(property) ? property : {};
      const filled = certain && given['default'] !== undefined;
      const { description } = given;
      return [
        {
          ...{ name, form },
          presence: required.has(name) ? 'required' : filled ? 'filled' : 'optional',
          ...(given['default'] !== undefined && { default: given['default'] }),
          description: typeof description === 'string' ? description : '',
        },
      ];
    });
    const others = [...required].filter((name) => !Object.hasOwn(properties, name));
    return [
      ...listed,
      ...others.map((name): Member => ({ name, form: unknown, presence: 'required', description: '' })),
    ];
  }

  private further(schema: JsonObject, at: string): Form | undefined {
    const { additionalProperties, patternProperties } = schema;
    const byPattern = Object.entries(isObject(patternProperties) ? patternProperties : {}).map(
      ([pattern, member]) => this.read(member, `${at}/patternProperties${step(pattern)}`, false),
    );
    if (additionalProperties === undefined || additionalProperties === false)
      return byPattern.length === 0
        ? additionalProperties === undefined && namesElsewhere(schema)
          ? unknown
          : undefined
        : unionOf([...byPattern, ...(additionalProperties === undefined ? [unknown] : [])]);
    return unionOf([...byPattern, this.read(additionalProperties, `${at}/additionalProperties`, false)]);
  }

  private literals(values: readonly Json[], at: string): Form {
    const scalars = values.filter((value): value is Scalar => typeof value !== 'object' || value === null);
    if (scalars.length === values.length && scalars.length > 0) return { kind: 'literals', values: scalars };
    return this.wider(at, 'Constants that are lists or objects have no type.');
  }

  private reference($ref: string, at: string): Form {
    const to = $ref.slice(1);
    const isOpen = this.open.has(to);
    const form = isOpen ? undefined : this.definition(to);
    if (isOpen || form !== undefined) return { kind: 'reference', to };
    return this.wider(at, 'This reference leads to itself.');
  }

  /** Undefined while it is being read. */
  private definition(to: string): Form | undefined {
    const known = this.definitions.get(to);
    if (known !== undefined || this.open.has(to)) return known;
    this.open.add(to);
    const { nested } = this;
    const before = this.definitions.size;
    this.nested = 0;
    const form = this.read(resolve(this.root, to) ?? {}, to, false);
    this.nested = nested;
    this.open.delete(to);
    const settled = this.leadsTo(form, to, before)
      ? this.wider(to, 'This schema means itself, and nothing else.')
      : form;
    this.places.set(to, this.definitions.size);
    this.definitions.set(to, settled);
    return settled;
  }

  /**
   * Whether a form is the definition itself, by references and alternatives alone. What was read whole before the definition was
   * begun does not lead to it: it would have been read with it.
   */
  private leadsTo(form: Form, to: string, before: number): boolean {
    const seen = new Set<string>();
    const left = [form];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (next.kind === 'union') left.push(...next.of);
      if (next.kind !== 'reference' || seen.has(next.to)) continue;
      if (next.to === to) return true;
      seen.add(next.to);
      if ((this.places.get(next.to) ?? 0) >= before) left.push(this.definitions.get(next.to) ?? unknown);
    }
    return false;
  }

  private wider(at: string, detail: string): Form {
    this.notTyped(at, detail);
    return unknown;
  }

  private notTyped(at: string, detail: string): void {
    this.warn(this.at + at, 'not_typed', detail);
  }
}

/** Whether a schema says what a value is. */
function says(schema: Json): boolean {
  if (schema === false) return true;
  return (
    isObject(schema) && TELLING.some((keyword) => keyword !== 'required' && Object.hasOwn(schema, keyword))
  );
}

/** Whether it says more than alternatives, a type and what types don't show. */
function saysMore(schema: JsonObject): boolean {
  const { type: _type, anyOf, oneOf, ...rest } = schema;
  return (
    (anyOf !== undefined && oneOf !== undefined) ||
    ['properties', 'required', 'items', 'prefixItems', 'additionalProperties', 'patternProperties'].some(
      (keyword) => Object.hasOwn(rest, keyword),
    )
  );
}

/** Whether a branch names its types elsewhere. */
const isChoice = (branch: JsonObject): boolean =>
  ['$ref', 'allOf', 'anyOf', 'oneOf', 'const', 'enum'].some((keyword) => Object.hasOwn(branch, keyword));

/** Whether alternatives and conditions may speak of members that the schema itself does not list. */
function namesElsewhere(schema: JsonObject): boolean {
  return ['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'].some((keyword) =>
    /"(properties|\$ref)":/.test(JSON.stringify(schema[keyword] ?? '')),
  );
}
