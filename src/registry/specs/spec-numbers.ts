import { isTooLong } from '../../../packages/schema-reading/long-numbers.js';
import { below, isObject, member, type Json } from '../../documents/json.js';

/** Keywords whose values are data, in which no keyword stands. */
const DATA = new Set(['enum', 'const', 'default', 'examples']);

/**
 * Makes numbers, in place, of those that the schemas of a spec have as texts, since JSON does not carry their digits: versions that are
 * kept have them so.
 *
 * @returns where they stand
 */
export function roundNumbers(spec: Json): readonly string[] {
  const places: string[] = [];
  const walk = (value: Json | undefined, pointer: string): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, below(pointer, index));
    if (!isObject(value)) return;
    for (const [keyword, inner] of Object.entries(value)) {
      const at = below(pointer, keyword);
      const texts = (Array.isArray(inner) ? inner : [inner]).filter((item) => typeof item === 'string');
      if (texts.length > 0 && isTooLong(keyword, inner, value['type'])) {
        value[keyword] = Array.isArray(inner) ? inner.map(rounded) : rounded(inner);
        places.push(at);
      } else if (!DATA.has(keyword)) walk(inner, at);
    }
  };
  for (const side of ['inputSchema', 'outputSchema']) walk(member(spec, side), below('', side));
  return places;
}

const rounded = (value: Json): Json =>
  typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value;
