import { Enum, MapField, Type, type Field, type NamespaceBase, type ReflectionObject } from 'protobufjs';
import type { JsonObject } from '../../documents/json.js';
import type { WarningSink } from '../../documents/findings.js';
import { long, wellKnown } from './well-known.js';

const scalars: Readonly<Record<string, JsonObject>> = {
  double: { type: 'number' },
  float: { type: 'number' },
  int32: { type: 'integer', format: 'int32' },
  sint32: { type: 'integer', format: 'int32' },
  sfixed32: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', minimum: 0 },
  fixed32: { type: 'integer', minimum: 0 },
  int64: long,
  sint64: long,
  sfixed64: long,
  uint64: long,
  fixed64: long,
  bool: { type: 'boolean' },
  string: { type: 'string' },
  bytes: { type: 'string', contentEncoding: 'base64' },
};

/** Full name of a type, without the dot that protobufjs puts first. */
export const nameOf = ({ fullName }: ReflectionObject): string => fullName.replace(/^\./, '');

/** Schemas of messages and enums, as protobuf's JSON mapping writes them, under `definitions` by full name. */
export class MessageSchemas {
  constructor(private readonly warnings: WarningSink) {}

  /** Of every type below a namespace. */
  definitions(namespace: NamespaceBase): [string, JsonObject][] {
    return namespace.nestedArray.flatMap((nested): [string, JsonObject][] => {
      if (nested instanceof Enum) return [[nameOf(nested), enumSchema(nested)]];
      const inner = isNamespace(nested) ? this.definitions(nested) : [];
      return nested instanceof Type ? [[nameOf(nested), this.message(nested)], ...inner] : inner;
    });
  }

  /** Of a type that is named in `scope`. */
  reference(name: string, scope: NamespaceBase | null): JsonObject {
    const scalar = scalars[name];
    if (scalar !== undefined) return scalar;
    const bare = name.replace(/^\./, '');
    const found = scope?.lookup(name, [Type, Enum]) ?? null;
    const full = found === null ? bare : nameOf(found);
    if (Object.hasOwn(wellKnown, full)) return wellKnown[full] ?? {};
    if (found !== null) return { $ref: `#/definitions/${full}` };
    this.warnings.warn(
      'type_unknown',
      '',
      `The type ${bare} is declared in no file that was sent; anything is accepted there. Send the file that declares it along.`,
    );
    return {};
  }

  private message(type: Type): JsonObject {
    const fields = type.fieldsArray;
    const required = fields.filter(isRequired).map(jsonName);
    return {
      ...described(type.comment),
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [jsonName(field), this.field(field)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  private field(field: Field): JsonObject {
    const { type, parent } = field;
    const value = this.reference(type, parent);
    const schema =
      field instanceof MapField
        ? { type: 'object', additionalProperties: value }
        : field.repeated
          ? { type: 'array', items: value }
          : value;
    return {
      ...schema,
      ...described(field.comment),
      ...(field.options?.['deprecated'] === true && { deprecated: true }),
      ...(behaviours(field).includes('OUTPUT_ONLY') && { readOnly: true }),
    };
  }
}

function isNamespace(object: ReflectionObject): object is NamespaceBase {
  return 'nestedArray' in object;
}

function enumSchema(type: Enum): JsonObject {
  return { ...described(type.comment), type: 'string', enum: Object.keys(type.values) };
}

function isRequired(field: Field): boolean {
  const { rule } = field as { readonly rule?: string };
  return rule === 'required' || behaviours(field).includes('REQUIRED');
}

/** `google.api.field_behavior`, which may stand several times. */
function behaviours(field: Field): readonly unknown[] {
  return optionsOf(field, 'google.api.field_behavior').flat();
}

/** `snake_case` becomes `snakeCase`, unless the file names it; extensions go by their full names in brackets. */
function jsonName({ name, options }: Field): string {
  const own: unknown = options?.['json_name'];
  if (name.startsWith('.')) return `[${name.slice(1)}]`;
  return typeof own === 'string'
    ? own
    : name.replace(/_+([a-z\d])/gi, (_, letter: string) => letter.toUpperCase());
}

function described(comment: string | null): JsonObject {
  return comment ? { description: comment } : {};
}

/** Lists the values of an extension option, `(google.api.http)`, in order: an option may stand several times. */
export function optionsOf({ parsedOptions }: ReflectionObject, name: string): readonly unknown[] {
  const all: unknown = parsedOptions;
  if (!Array.isArray(all)) return [];
  return all.flatMap((option: unknown) => {
    const entries = typeof option === 'object' && option !== null ? Object.entries(option) : [];
    return entries.filter(([key]) => key === `(${name})`).map(([, value]) => value as unknown);
  });
}
