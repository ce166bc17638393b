import { nodeTypes } from '../../../src/graph/ontology.js';
import type { NodeType, Property } from '../../../src/graph/ontology.types.js';
import type { Chooser } from './chooser.js';

type Json = Record<string, unknown>;
const types: readonly NodeType[] = nodeTypes;

/** Conditions on one or two properties, in every form that the language has for them. */
export function filters(
  choose: Chooser,
  properties: readonly Property[],
  things: readonly Readonly<Record<string, unknown>>[],
): Json {
  const chosen = [choose.of(properties), ...(choose.chance(30) ? [choose.of(properties)] : [])];
  return Object.fromEntries(
    chosen.map((property) => {
      const first = filter(choose, property, things);
      const form = choose.below(10);
      if (form === 0) return [property.name, [first, filter(choose, property, things)]];
      if (form === 1) return [property.name, { ...filter(choose, property, things), ...first }];
      const [operator, value] = Object.entries(first)[0] ?? [];
      return [property.name, form < 5 && operator === 'eq' ? value : first];
    }),
  );
}

function filter(
  choose: Chooser,
  property: Property,
  things: readonly Readonly<Record<string, unknown>>[],
): Json {
  const operator = choose.of(property.operators);
  const known = things
    .map((thing) => thing[property.name])
    .filter((value) => value !== null && value !== undefined);
  const value = known.length > 0 ? choose.of(known) : fallback(property);
  const text = String(value);
  switch (operator) {
    case 'is_null':
    case 'is_not_null':
      return { [operator]: choose.chance(50) };
    case 'in':
      return { in: [value, known.length > 0 ? choose.of(known) : value] };
    case 'contains':
      return property.kind === 'list'
        ? { contains: [value].flat()[0] ?? 'clerk' }
        : { contains: part(choose, text) };
    case 'starts_with':
      return { starts_with: text.length < 3 ? 'acc' : text.slice(0, 3 + choose.below(3)) };
    case 'ends_with':
      return { ends_with: text.length < 3 ? 'unt' : text.slice(-3 - choose.below(3)) };
    case 'token_match':
    case 'all_tokens':
    case 'any_tokens': {
      const words = text.split(/[^A-Za-z0-9\u0080-\u{10ffff}]+/u).filter((word) => word !== '');
      const word = words.length > 0 ? choose.of(words) : 'account';
      return { [operator]: operator === 'token_match' ? word : [word, 'LOAN'] };
    }
    default:
      return { [operator]: value };
  }
}

function part(choose: Chooser, text: string): string {
  const start = choose.below(Math.max(text.length - 3, 1));
  const cut = text.slice(start, start + 3 + choose.below(3));
  return cut.length < 3 ? 'oun' : cut;
}

function fallback({ kind, values, sqlType }: Property): unknown {
  switch (kind) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'choice':
      return values?.[0];
    case 'datetime':
      return '2026-05-15T00:00:00Z';
    case 'id':
      return sqlType === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'api-0';
    case 'list':
      return ['clerk'];
    default:
      return 'account';
  }
}

export function propertiesOf(entity: string): readonly Property[] {
  return types.find(({ name }) => name === entity)?.properties ?? [];
}

/** What can be put in order. */
export function plainPropertiesOf(entity: string): readonly Property[] {
  return propertiesOf(entity).filter(({ kind }) => kind !== 'list');
}
