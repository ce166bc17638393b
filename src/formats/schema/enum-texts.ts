import { isObject, listMember, member, type Json, type JsonObject } from '../../documents/json.js';

const NAMES = ['x-enum-varnames', 'x-enumNames', 'x-enum-names'];
const DESCRIPTIONS = ['x-enum-descriptions', 'x-enumDescriptions'];
/** More is no help to who reads it. */
const MAX_LENGTH = 2_000;

/** Adds to the description of a schema what its author says of the values that it lists. */
export function withEnumText(schema: JsonObject): JsonObject {
  const text = enumText(schema);
  return text === undefined ? schema : { ...schema, description: joined(schema['description'], text) };
}

/** Joins a description and the text on values. */
export function joined(description: Json | undefined, text: string): string {
  return typeof description === 'string' && description.trim() !== '' ? `${description}\n\n${text}` : text;
}

/**
 * Says in a text what `x-enum-varnames` and `x-enum-descriptions` say of values: lists in the order of `enum`, or maps by
 * value. Undefined where they say nothing that the values don't.
 */
export function enumText(schema: Json): string | undefined {
  const values = listMember(schema, 'enum');
  if (values.length === 0) return undefined;
  const said = values.flatMap((value, index) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const name = textAt(schema, NAMES, { text, index });
    const description = textAt(schema, DESCRIPTIONS, { text, index });
    const isOther = name !== undefined && letters(name) !== letters(text);
    if (!isOther) return description === undefined ? [] : [`${text}: ${description}`];
    return [`${text}: ${name}${description === undefined ? '' : ` (${description})`}`];
  });
  const whole = `Values: ${said.join('; ')}`;
  return said.length === 0 || whole.length > MAX_LENGTH ? undefined : whole;
}

function textAt(
  schema: Json,
  keywords: readonly string[],
  { text, index }: { readonly text: string; readonly index: number },
): string | undefined {
  for (const keyword of keywords) {
    const given = member(schema, keyword);
    const found = Array.isArray(given) ? given[index] : isObject(given) ? member(given, text) : undefined;
    if (typeof found === 'string' && found.trim() !== '') return found.trim();
  }
  return undefined;
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
