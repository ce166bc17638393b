import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** Building blocks of the routes' schemas. */

export const uuid = { type: 'string', format: 'uuid' } as const;

/** Names of the parameters in the address of a route: `skillId` of `/skills/:skillId`. */
export function parameterNames(url: string): string[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Whether a parameter of a path is a UUID: every `xxxId` is, but for `apiId`, which operators choose. */
export function isUuidParameter(name: string): boolean {
  return name.endsWith('Id') && name !== 'apiId';
}

export const dateTime = { type: 'string', format: 'date-time' } as const;

/** An object in an answer: its members are required unless named as optional. */
export function objectOf<
  const Members extends Readonly<Record<string, JSONSchema>>,
  const Optional extends keyof Members & string = never,
>(
  properties: Members,
  optional: readonly Optional[] = [],
): {
  readonly type: 'object';
  readonly required: readonly Exclude<keyof Members & string, Optional>[];
  readonly properties: Members;
} {
  const isRequired = (name: string): name is Exclude<keyof Members & string, Optional> =>
    !optional.some((each) => each === name);
  return { type: 'object', required: Object.keys(properties).filter(isRequired), properties };
}

/** A text of 1 to `max` characters. */
export function text<const Max extends number>(
  max: Max,
): { readonly type: 'string'; readonly minLength: 1; readonly maxLength: Max } {
  return { type: 'string', minLength: 1, maxLength: max };
}

/** Shape of a secret's name: never a path, never a variable. */
export const secretNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$';

/** https://semver.org, sections 2, 9 and 10. */
export const semanticVersion = {
  type: 'string',
  maxLength: 64,
  pattern:
    '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$',
  description: 'A semantic version, like 1.2.0.',
} as const;

/** Members of every receipt, to be spread into the `properties` of a longer one. */
export const receiptProperties = {
  id: { type: 'string', description: 'Id of the record.' },
  version: {
    type: 'integer',
    minimum: 0,
    description: 'Version of the record after the write, as in the ETag.',
  },
  position: { type: 'integer', minimum: 0, description: "Position in the host's log." },
  changed: { type: 'boolean', description: 'False where there was nothing to change.' },
} as const;

export const receiptAnswer = {
  title: 'Receipt',
  type: 'object',
  required: ['id', 'version', 'position', 'changed'],
  properties: receiptProperties,
} as const satisfies JSONSchema;

/** The answer to a batch: of each record its receipt with what tells it from the others, by the title of the item. */
export function receiptsAnswer(title: string, more: Readonly<Record<string, JSONSchema>>): JSONSchema {
  return {
    type: 'object',
    required: ['items', 'position'],
    properties: {
      items: {
        type: 'array',
        items: {
          ...receiptAnswer,
          title,
          required: [...receiptAnswer.required, ...Object.keys(more)],
          properties: { ...receiptProperties, ...more },
        },
      },
      position: { type: 'integer', minimum: 0, description: 'Position of the last event of the batch.' },
    },
  };
}

export function listAnswer<const Item extends JSONSchema>(
  item: Item,
): {
  readonly type: 'object';
  readonly required: readonly ['items'];
  readonly properties: {
    readonly items: { readonly type: 'array'; readonly items: Item };
    readonly nextCursor: { readonly type: 'string'; readonly description: string };
  };
} {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      items: { type: 'array', items: item },
      nextCursor: { type: 'string', description: 'Ask for the next page with it; absent on the last one.' },
    },
  };
}

/** Query parameters of every list, to be spread into the `properties` of its query schema. */
export const listProperties = {
  limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
  cursor: { type: 'string', minLength: 1, maxLength: 2000, description: 'nextCursor of the page before.' },
  active: { type: 'string', enum: ['true', 'false', 'all'], default: 'true' },
} as const;

/** Schema of the query parameter `sort` of a list: by its own text or by the last change, from either end. */
export function sortSchema<const Name extends string>(
  text: Name,
): {
  readonly type: 'string';
  readonly enum: readonly [Name, `-${Name}`, 'updateTs', '-updateTs'];
  readonly description: string;
} {
  return {
    type: 'string',
    enum: [text, `-${text}`, 'updateTs', '-updateTs'],
    description: `What the list is sorted by: ${text} unless given; with a minus from the end.`,
  };
}

export const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: listProperties,
} as const satisfies JSONSchema;
export type ListQuery = FromSchema<typeof listQuery>;

/** RFC 9457 problem details, as every refusal is answered. */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong, where, and what to do.' },
    instance: { type: 'string', description: 'Path of the request.' },
    code: { type: 'string', description: 'Stable name of the problem, for programs.' },
    errors: {
      type: 'array',
      description: 'Every fault of a rejected body.',
      items: objectOf({ pointer: { type: 'string' }, detail: { type: 'string' } }),
    },
  },
} as const satisfies JSONSchema;

/** One line of text without blanks at its ends. */
export function line<const Max extends number>(
  max: Max,
): {
  readonly type: 'string';
  readonly minLength: 1;
  readonly maxLength: Max;
  readonly pattern: string;
  readonly description: string;
} {
  return {
    type: 'string',
    minLength: 1,
    maxLength: max,
    pattern: '^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$',
    description: 'One line without blanks at its ends.',
  };
}

/** Members of every record that is read: its version for If-Match, and its last change. */
export const recordProperties = {
  active: { type: 'boolean' },
  aggregateVersion: { type: 'integer', description: 'For If-Match.' },
  position: { type: 'integer', description: 'Position of the last event that changed the record.' },
  updateTs: dateTime,
  updateUser: { type: 'string' },
} as const;
export const recordMembers = ['active', 'aggregateVersion', 'position', 'updateTs', 'updateUser'] as const;
