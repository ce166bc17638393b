import { entriesOf, isObject, type JsonObject } from '../../documents/json.js';

/** What a model reads of a tool at every turn, beside its name. */
interface Definition {
  readonly description?: string | undefined;
  readonly inputSchema?: object | undefined;
}

/** Characters of JSON from which a definition is worth a word. */
export const LARGE_DEFINITION = 16 * 1024;

/** Parts of a large definition that are named, and how long such a part is at least. */
const MAX_PARTS = 3;
const WORTH_NAMING = 1_024;

/** Characters of JSON of description and input schema together. */
export function definitionLength({ description = '', inputSchema = {} }: Definition): number {
  return lengthOf({ description, inputSchema });
}

/** How long a definition is that is large, and what makes it so; undefined of one that is not. */
export function largeDefinition({ description = '', inputSchema = {} }: Definition): string | undefined {
  const size = definitionLength({ description, inputSchema });
  if (size <= LARGE_DEFINITION) return undefined;
  const { properties, $defs } = isObject(inputSchema) ? inputSchema : ({} as JsonObject);
  const parts: [string, number][] = [
    ['the description', description.length],
    ...entriesOf(properties).map(([name, schema]): [string, number] => [
      `the argument ${name}`,
      lengthOf(schema),
    ]),
    ...entriesOf($defs).map(([name, schema]): [string, number] => [
      `the definition ${name}`,
      lengthOf(schema),
    ]),
  ];
  const largest = parts
    .filter(([, length]) => length >= WORTH_NAMING)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_PARTS);
  const said = largest.map(([name, length]) => `${name} (${kibibytes(length)})`).join(', ');
  const most = said === '' ? 'in many small arguments' : `most of it ${said}`;
  return `what a model reads of it at every turn is ${kibibytes(size)} long, ${most}.`;
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length;
const kibibytes = (length: number): string => `${(length / 1024).toFixed(1)} KiB`;
