import { below, byCodePoint, entriesOf, isObject, member, type Json } from '../../documents/json.js';
import { exampleIn } from '../schema/examples.js';
import type { OpenApiDocument, Placed } from './document.js';

/** JSON length of the examples of one argument, together. */
const MAX_EXAMPLES_LENGTH = 300;

/**
 * The example, or those with a name and a value in the order of their names, of a parameter and of its media type: as many
 * as are short.
 */
export function examplesOf(holders: readonly Placed[], document: OpenApiDocument): Json[] {
  const given = holders.flatMap(({ value, pointer }) => {
    const named = entriesOf(value['examples']).toSorted(([one], [other]) => byCodePoint(one, other));
    const parts = named.map(([name, example]) =>
      isObject(example) ? document.part(example, below(pointer, 'examples', name), 'example') : undefined,
    );
    const own = exampleIn(member(value, 'example'), document.source, () => {
      document.part(value['example'], below(pointer, 'example'), 'example');
    });
    // OpenAPI 3.2 has the data apart from how it is written on the wire.
    return [own, ...parts.map((part) => member(part?.value, 'value') ?? member(part?.value, 'dataValue'))];
  });
  const seen = new Set<string>();
  let length = 0;
  return given.filter((example): example is Json => {
    if (example === undefined) return false;
    const written = JSON.stringify(example);
    if (seen.has(written)) return false;
    seen.add(written);
    length += written.length;
    return length <= MAX_EXAMPLES_LENGTH;
  });
}
