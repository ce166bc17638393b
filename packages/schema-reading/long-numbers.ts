import { type Json, kindOf, typesMeant } from './keywords.js';
import { isCarried, isRounded } from './numbers.js';

const VALUES = new Set(['enum', 'const', 'default', 'examples']);
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Whether a keyword holds numbers of more digits than JSON carries: read as texts, where only numbers may stand, or rounded where
 * a parser of JSON has read them before.
 */
export function isTooLong(keyword: string, value: Json, type: Json | undefined): boolean {
  const kind = kindOf(keyword);
  if (kind === 'number' || kind === 'count') return isLong(value);
  if (!VALUES.has(keyword)) return false;
  if (holdsRounded(value)) return true;
  const { types } = typesMeant(type ?? null);
  const isNumber = types.length > 0 && types.every((name) => ['integer', 'number', 'null'].includes(name));
  const isList = keyword === 'enum' || keyword === 'examples';
  return isNumber && (isList && Array.isArray(value) ? value.some(isLong) : isLong(value));
}

function isLong(value: Json): boolean {
  if (typeof value === 'number') return isRounded(value);
  return typeof value === 'string' && NUMBER.test(value) && !isCarried(value);
}

/** No deeper than values are that anybody lists. */
function holdsRounded(value: Json, depth = 0): boolean {
  if (typeof value === 'number') return isRounded(value);
  if (typeof value !== 'object' || value === null || depth > 16) return false;
  return Object.values(value).some((inner) => holdsRounded(inner, depth + 1));
}
