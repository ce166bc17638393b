/** Reads the filters of a query: names, operators, values of the right kind; gathers every fault. Pure. */
import { type Fault, Invalid } from '../../kernel/errors.js';
import {
  type NodeType,
  type Operator,
  operators,
  type Property,
  type RelationshipType,
} from '../ontology.types.js';
import { queryLimits } from '../sql/statement.sql.js';
import type { Condition, Findable, Value } from './query.ast.js';
import { propertyOf } from '../ontology.js';

export const invalidQuery = 'invalid_graph_query';

export class Faults {
  private readonly faults: Fault[] = [];

  /** Returns null, for the reader to return. */
  add(pointer: string, detail: string): null {
    this.faults.push({ pointer, detail });
    return null;
  }

  /** Ends each fault that `read` adds with how to look the type up. */
  about<T>(type: NodeType | RelationshipType, read: () => T): T {
    const before = this.faults.length;
    const value = read();
    const fresh = this.faults.splice(before);
    const hint = expand(type);
    this.faults.push(...fresh.map(({ pointer, detail }) => ({ pointer, detail: `${detail}; ${hint}` })));
    return value;
  }

  /** Throws Invalid where there are faults. */
  refuse(): void {
    const [first] = this.faults;
    if (first === undefined) return;
    throw new Invalid(invalidQuery, `The query can’t be run: ${first.pointer} ${first.detail}.`, this.faults);
  }
}

/** Refuses an answer, or what would be read for it. */
export function tooLarge(bytes: number): Invalid {
  const detail = `gives ${bytes} bytes, more than ${queryLimits.answerBytes}; name fewer columns or a lower limit`;
  return new Invalid('graph_answer_too_large', `The query ${detail}.`, [{ pointer: '/limit', detail }]);
}

/** The command that lists what the type has. */
function expand(type: NodeType | RelationshipType): string {
  const member = 'view' in type ? 'expand_nodes' : 'expand_relationship_types';
  return `get_graph_schema with ${member} ["${type.name}"] lists its properties, operators and values`;
}

/** Shorter parts would be found everywhere. */
const MIN_PART_LENGTH = 3;
const MAX_VALUES = 100;
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

/** Reads `node_types` and `filters`: the filters are applied to each of the kinds. */
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
  [name, value]: readonly [string, unknown],
  at: string,
  faults: Faults,
): Condition | null {
  const operator = operators.find((each) => each === name);
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
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES) {
    return faults.add(at, `must be a list of 1 to ${MAX_VALUES} values`);
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
  if (isPart && typeof single === 'string' && single.length < MIN_PART_LENGTH) {
    return refuse(`must be at least ${MIN_PART_LENGTH} characters long`);
  }
  return { property, operator, value: single };
}

function present<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}

type Refuse = (detail: string) => null;

const MAX_TEXT_LENGTH = 1024;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const time =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/;
const MAX_INTEGER = 2 ** 31 - 1;

export function valueOf(property: Property, value: unknown, refuse: Refuse): Value | null {
  switch (property.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : refuse('must be true or false');
    case 'integer':
      return isInteger(value) ? value : refuse('must be a whole number of at most 2147483647');
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : refuse('must be a number');
    case 'choice':
      return choiceOf(property.values ?? [], value, refuse);
    case 'datetime':
      return typeof value === 'string' && isTime(value)
        ? value
        : refuse('must be a day or a time like 2026-11-21T08:00:00Z');
    case 'id':
      return idValue(property, value, refuse);
    default:
      return textValue(value, refuse);
  }
}

/** Reads a text that the database can hold. */
function textValue(value: unknown, refuse: Refuse): string | null {
  if (typeof value !== 'string') return refuse('must be a text');
  if (value.length > MAX_TEXT_LENGTH) return refuse(`must not be longer than ${MAX_TEXT_LENGTH} characters`);
  return /[\0\p{Surrogate}]/u.test(value) ? refuse('must not hold NUL or lone surrogates') : value;
}

/** Splits a text at ASCII punctuation and spaces, ASCII letters in lower case. */
function tokensOf(text: string): string[] {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower.split(/[\x01-/:-`{-\x7f]+/).filter((token) => token !== '');
}

function idValue({ sqlType }: Property, value: unknown, refuse: Refuse): string | null {
  if (sqlType !== 'uuid') return textValue(value, refuse);
  return typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : refuse('must be a UUID');
}

function choiceOf(values: readonly string[], value: unknown, refuse: Refuse): string | null {
  return values.find((each) => each === value) ?? refuse(`must be one of ${values.join(', ')}`);
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= MAX_INTEGER;
}

function isTime(text: string): boolean {
  const [, year = '', month = '', day = ''] = time.exec(text) ?? [];
  return year !== '' && year !== '0000' && Number(day) <= daysOf(Number(year), Number(month));
}

function daysOf(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
