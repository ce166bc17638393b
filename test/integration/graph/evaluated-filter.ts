import { nodeTypes } from '../../../src/graph/ontology.js';

type Json = Readonly<Record<string, unknown>>;

export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [left, right] = [Number(a), Number(b)];
  return left - right;
}

const kinds = new Map(
  nodeTypes.flatMap(({ properties }) => properties.map(({ name, kind }) => [name, kind as string])),
);

/** Whether a thing meets the conditions of a query. */
export function holds(thing: Json, filters: Json): boolean {
  return Object.entries(filters).every(([name, filter]) =>
    [filter].flat().every((each: unknown) => {
      const operators = typeof each === 'object' && each !== null ? each : { eq: each };
      return Object.entries(operators).every(([operator, operand]) =>
        holdsOne(thing[name] ?? null, name, operator, operand),
      );
    }),
  );
}

function holdsOne(value: unknown, name: string, operator: string, operand: unknown): boolean {
  if (operator === 'is_null') return (value === null) === operand;
  if (operator === 'is_not_null') return (value !== null) === operand;
  if (value === null) return false;
  const time = kinds.get(name) === 'datetime';
  const order = time ? Date.parse(value as string) - Date.parse(operand as string) : compare(value, operand);
  switch (operator) {
    case 'eq':
      return time ? order === 0 : value === operand;
    case 'in':
      return (operand as unknown[]).includes(value);
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'contains':
      return (value as string | string[]).includes(operand as string);
    case 'starts_with':
      return (value as string).startsWith(operand as string);
    case 'ends_with':
      return (value as string).endsWith(operand as string);
    default: {
      const [have, want] = [
        wordsOf(value as string),
        [operand].flat().flatMap((text) => wordsOf(text as string)),
      ];
      return operator === 'any_tokens'
        ? want.some((word) => have.includes(word))
        : want.every((word) => have.includes(word));
    }
  }
}

function wordsOf(text: string): string[] {
  const small = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return small.match(/[a-z0-9\u0080-\u{10ffff}]+/gu) ?? [];
}
