import { isObject, member, textMember, type Json } from '../../documents/json.js';
import type { SchemaSource } from './source.js';

/**
 * What an example shows. One that is no more than a reference is what it leads to, or the value of that: OpenAPI knows references
 * among `examples` alone, and authors write them everywhere.
 *
 * @param onLost is called where it leads nowhere; the answer is undefined then
 */
export function exampleIn(
  example: Json | undefined,
  source: SchemaSource,
  onLost: () => void,
): Json | undefined {
  const reference = textMember(example, '$ref');
  if (reference === undefined || !isObject(example) || Object.keys(example).length > 1) return example;
  const target = source.find(reference);
  if (target.kind === 'local')
    return member(target.schema, 'value') ?? member(target.schema, 'dataValue') ?? target.schema;
  onLost();
  return undefined;
}

/** JSON length of the examples of one schema, together: longer ones make a schema long and say little. */
const MAX_LENGTH = 300;

/** What the examples of a schema show; undefined where they are too long, or nothing is left of them. */
export function shownExamples(
  examples: readonly Json[],
  source: SchemaSource,
  onLost: () => void,
): Json[] | undefined {
  const shown = examples
    .map((example) => exampleIn(example, source, onLost))
    .filter((example) => example !== undefined);
  return shown.length > 0 && JSON.stringify(shown).length <= MAX_LENGTH ? shown : undefined;
}
