/** From the filters of a query to conditions: names looked up, operators allowed, values of the right kind. Pure. */
import { expand, type Faults } from './faults.js';
import {
  operators,
  type NodeType,
  type Operator,
  type Property,
  type RelationshipType,
} from './ontology.types.js';
import type { Condition, Findable } from './query.ast.js';
import { propertyOf } from './vocabulary.js';
import { textValue, tokensOf, valueOf } from './value.reading.js';

/** Shorter parts of a text are found everywhere. */
const shortestPart = 3;
const mostValues = 100;
const partOperators: readonly Operator[] = ['contains', 'starts_with', 'ends_with'];

export function conditionsOf(
  type: NodeType | RelationshipType,
  filters: Readonly<Record<string, unknown>>,
  pointer: string,
  faults: Faults,
): Condition[] {
  return Object.entries(filters).flatMap(([name, filter]) => {
    const at = `${pointer}/${name}`;
    const property = propertyOf(type, name);
    if (property === undefined) {
      faults.add(at, unknownProperty(type, name));
      return [];
    }
    return faults.about(type, () => filtersOf(property, filter, at, faults));
  });
}

/** What may be found: `filters` are of each of the kinds named. */
export function findableOf(
  types: readonly NodeType[] | undefined,
  filters: Readonly<Record<string, unknown>> | undefined,
  pointer: string,
  faults: Faults,
): Findable | undefined {
  if (types !== undefined) {
    return new Map(
      types.map((type) => [type, conditionsOf(type, filters ?? {}, `${pointer}/filters`, faults)]),
    );
  }
  if (filters !== undefined) faults.add(`${pointer}/filters`, 'needs node_types: the nodes that it is about');
  return undefined;
}

function filtersOf(property: Property, filter: unknown, at: string, faults: Faults): Condition[] {
  if (!Array.isArray(filter)) return filterOf(property, filter, at, faults);
  if (filter.length === 0 || filter.length > 10) faults.add(at, 'must hold 1 to 10 filters');
  return filter.flatMap((each, index) => filterOf(property, each, `${at}/${index}`, faults));
}

export function unknownProperty(type: NodeType | RelationshipType, name: string): string {
  const known = type.properties.map((property) => property.name).join(', ');
  return `is no property of ${type.name} (“${name.slice(0, 64)}”); it has ${known || 'none'}; ${expand(type)}`;
}

function filterOf(property: Property, filter: unknown, at: string, faults: Faults): Condition[] {
  if (typeof filter !== 'object') return present(conditionOf(property, ['eq', filter], at, faults));
  if (filter === null) {
    faults.add(at, 'must not be null; ask is_null: true');
    return [];
  }
  const entries = Object.entries(filter);
  if (entries.length === 0)
    faults.add(at, `names no operator; ${property.name} takes ${property.operators.join(', ')}`);
  return entries.flatMap(([operator, value]) =>
    present(conditionOf(property, [operator, value], `${at}/${operator}`, faults)),
  );
}

function conditionOf(
  property: Property,
  [word, value]: readonly [string, unknown],
  at: string,
  faults: Faults,
): Condition | null {
  const operator = operators.find((each) => each === word);
  if (operator === undefined || !property.operators.includes(operator)) {
    return faults.add(
      at,
      `is not asked of ${property.name} (${property.kind}); it takes ${property.operators.join(', ')}`,
    );
  }
  switch (operator) {
    case 'is_null':
    case 'is_not_null':
      return nullCondition(property, operator, value) ?? faults.add(at, 'must be true or false');
    case 'in':
      return listCondition(property, value, at, faults);
    case 'token_match':
    case 'all_tokens':
    case 'any_tokens':
      return tokenCondition(property, operator, value, (detail) => faults.add(at, detail));
    default:
      return singleCondition(property, operator, value, (detail) => faults.add(at, detail));
  }
}

function nullCondition(property: Property, operator: Operator, value: unknown): Condition | null {
  if (typeof value !== 'boolean') return null;
  const asksNull = (operator === 'is_null') === value;
  return { property, operator: asksNull ? 'is_null' : 'is_not_null' };
}

function listCondition(property: Property, value: unknown, at: string, faults: Faults): Condition | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostValues) {
    return faults.add(at, `must be a list of 1 to ${mostValues} values`);
  }
  const values = (value as readonly unknown[]).flatMap((each, index) =>
    present(valueOf(property, each, (detail) => faults.add(`${at}/${index}`, detail))),
  );
  return { property, operator: 'in', value: values };
}

function tokenCondition(
  property: Property,
  operator: Operator,
  value: unknown,
  refuse: (detail: string) => null,
): Condition | null {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = given.flatMap((each) => present(textValue(each, refuse)));
  const tokens = [...new Set(texts.flatMap(tokensOf))];
  if (tokens.length === 0 || tokens.length > 20) return refuse('must hold 1 to 20 words');
  if (operator === 'token_match' && tokens.length > 1)
    return refuse('must be one word; all_tokens takes several');
  return { property, operator, value: tokens };
}

function singleCondition(
  property: Property,
  operator: Operator,
  value: unknown,
  refuse: (detail: string) => null,
): Condition | null {
  const single = property.kind === 'list' ? textValue(value, refuse) : valueOf(property, value, refuse);
  if (single === null) return null;
  const isPart = partOperators.includes(operator) && property.kind === 'text';
  if (isPart && typeof single === 'string' && single.length < shortestPart) {
    return refuse(`must be at least ${shortestPart} characters long`);
  }
  return { property, operator, value: single };
}

function present<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}
