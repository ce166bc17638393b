import { Enum, MapField, Type, type Field, type NamespaceBase, type ReflectionObject } from 'protobufjs';
import type { JsonObject } from '../../documents/json.js';
import type { WarningSink } from '../../documents/findings.js';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const number = { type: 'number' } as const;
const anyMessage: JsonObject = { type: 'object', properties: { '@type': text } };
const status: JsonObject = {
  type: 'object',
  properties: { code: integer, message: text, details: { type: 'array', items: anyMessage } },
};

/** 64 bits don't fit a JSON number: the mapping writes texts and reads both. */
const long: JsonObject = { type: ['string', 'integer'], format: 'int64' };

const numbers = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, number])),
});
const integers = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, integer])),
});

/**
 * Messages that files import from Google and seldom bring along, in their JSON form (protobuf's JSON mapping): nothing
 * has to be fetched for them.
 */
const wellKnown: Readonly<Record<string, JsonObject>> = {
  'google.protobuf.Any': anyMessage,
  'google.protobuf.Empty': { type: 'object', additionalProperties: false },
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', description: 'Seconds with the suffix s: "1.5s".' },
  'google.protobuf.FieldMask': { type: 'string', description: 'Field paths, separated by commas.' },
  'google.protobuf.Struct': { type: 'object' },
  'google.protobuf.Value': {},
  'google.protobuf.ListValue': { type: 'array' },
  'google.protobuf.NullValue': { type: 'null' },
  'google.protobuf.BoolValue': { type: 'boolean' },
  'google.protobuf.StringValue': text,
  'google.protobuf.BytesValue': { type: 'string', contentEncoding: 'base64' },
  'google.protobuf.Int32Value': integer,
  'google.protobuf.UInt32Value': { type: 'integer', minimum: 0 },
  'google.protobuf.Int64Value': long,
  'google.protobuf.UInt64Value': long,
  'google.protobuf.FloatValue': number,
  'google.protobuf.DoubleValue': number,
  'google.rpc.Status': status,
  'google.longrunning.Operation': {
    type: 'object',
    properties: {
      name: text,
      metadata: anyMessage,
      done: { type: 'boolean' },
      error: status,
      response: anyMessage,
    },
  },
  'google.api.HttpBody': {
    type: 'object',
    properties: { contentType: text, data: { type: 'string', contentEncoding: 'base64' } },
  },
  'google.type.Date': integers('year', 'month', 'day'),
  'google.type.TimeOfDay': integers('hours', 'minutes', 'seconds', 'nanos'),
  'google.type.LatLng': numbers('latitude', 'longitude'),
  'google.type.Color': numbers('red', 'green', 'blue', 'alpha'),
  'google.type.Money': { type: 'object', properties: { currencyCode: text, units: long, nanos: integer } },
  'google.type.Decimal': { type: 'object', properties: { value: text } },
  'google.type.Expr': {
    type: 'object',
    properties: { expression: text, title: text, description: text, location: text },
  },
};

/** Services of files that others import to speak of long-running calls and the like: not the API itself. */
export const auxiliary: readonly string[] = ['google.longrunning', 'google.cloud.location', 'google.iam.v1'];

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
      ...described([type.comment ?? '', ...choicesOf(type)].filter((text) => text !== '').join('\n\n')),
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
  const isLegacy = rule === 'required' || presenceOf(field) === 'LEGACY_REQUIRED';
  return isLegacy || behaviours(field).includes('REQUIRED');
}

/** What an edition calls `required` is a feature of the field. */
function presenceOf({ options }: Field): unknown {
  const { features } = (options ?? {}) as { readonly features?: { readonly field_presence?: unknown } };
  return features?.field_presence ?? options?.['features.field_presence'];
}

/** Says each choice in words: makers of models take no rule that would say it. */
function choicesOf({ oneofsArray }: Type): string[] {
  const chosen = oneofsArray.filter(({ fieldsArray }) => fieldsArray.length > 1);
  return chosen.map((oneof) => {
    const names = oneof.fieldsArray.map((field) => `\`${jsonName(field)}\``).join(', ');
    const comment = oneof.comment ? ` ${oneof.comment}` : '';
    return `At most one of ${names} may be given (${oneof.name}).${comment}`;
  });
}

/** `google.api.field_behavior`, which may stand several times. */
function behaviours(field: Field): readonly unknown[] {
  return optionsOf(field, 'google.api.field_behavior').flat();
}

/**
 * `snake_case` becomes `snakeCase`, and `class_` `class` (protobuf: lines are left out), unless the file names it; extensions go by
 * their full names in brackets.
 */
function jsonName({ name, options }: Field): string {
  const own: unknown = options?.['json_name'];
  if (name.startsWith('.')) return `[${name.slice(1)}]`;
  return typeof own === 'string'
    ? own
    : name.replace(/_+([a-z\d]?)/gi, (_, letter: string) => letter.toUpperCase());
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
