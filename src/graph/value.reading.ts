/** Values of a query, each of the kind that its property has. Pure. */
import type { Property } from './ontology.types.js';
import type { Value } from './query.ast.js';

type Refuse = (detail: string) => null;

const longestText = 1024;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const time =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/;
const largestInteger = 2 ** 31 - 1;

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

/** A text that the database can hold. */
export function textValue(value: unknown, refuse: Refuse): string | null {
  if (typeof value !== 'string') return refuse('must be a text');
  if (value.length > longestText) return refuse(`must not be longer than ${longestText} characters`);
  return /[\0\p{Surrogate}]/u.test(value) ? refuse('must not hold NUL or lone surrogates') : value;
}

/** Words of ASCII letters and digits and whatever is not ASCII; ASCII capitals are made small. */
export function tokensOf(text: string): string[] {
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
  return Number.isInteger(value) && Math.abs(value as number) <= largestInteger;
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
