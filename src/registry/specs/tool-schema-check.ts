import { type Fault, Invalid } from '../../kernel/errors.js';
import { BoundedAjv, type Check } from '../../platform/validation/validator.js';
import { faultsOf, pointerStep } from '../../platform/validation/faults.js';
import { below } from '../../documents/json.js';
import { MAX_ITEMS } from '../../documents/limits.js';
import { judgePattern } from '../../../packages/schema-reading/patterns.js';

/** Far more than any tool needs, and still quick to read and compile. */
const MAX_CHARACTERS = 262_144;
const MAX_NODES = 10_000;
const DEEPEST = 48;
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Checks against the meta-schema; the given schema is a value and never compiled. */
let checkSchema: Check | undefined;

/**
 * Refuses what is no self-contained JSON Schema 2020-12, and names every fault by its pointer. An input schema
 * must describe an object: a strict MCP client refuses the whole list for one tool that does not.
 */
export function checkToolSchemas(body: {
  readonly inputSchema?: object;
  readonly responseSchema?: object | null;
}): void {
  const { inputSchema, responseSchema } = body;
  const faults = [
    ...(inputSchema === undefined ? [] : schemaFaults(inputSchema, '/inputSchema')),
    ...(responseSchema == null ? [] : schemaFaults(responseSchema, '/responseSchema')),
  ];
  if (inputSchema !== undefined && (inputSchema as Schema)['type'] !== 'object') {
    faults.push({ pointer: '/inputSchema/type', detail: 'must be "object": the arguments are one object' });
  }
  if (faults.length > 0) throw new Invalid('invalid_schema', 'A schema can’t be kept as it is.', faults);
}

/**
 * What keeps a schema from being kept, each with its pointer below that of the schema.
 *
 * @param patterns that were judged of what the schema is a part of
 */
export function schemaFaults(schema: object, pointer: string, patterns = new JudgedPatterns()): Fault[] {
  const size = sizeFault(schema, pointer);
  if (size !== undefined) return [size];
  const faults = wordFaults(schema, { root: schema, patterns }, pointer);
  const dialect = (schema as Schema)['$schema'];
  if (dialect !== undefined && dialect !== DIALECT && dialect !== `${DIALECT}#`) {
    return [...faults, { pointer: `${pointer}/$schema`, detail: `must be ${DIALECT} or left out` }];
  }
  checkSchema ??= new BoundedAjv({ strict: false }).compile({ $ref: DIALECT });
  const errors = checkSchema(schema).filter(
    ({ keyword }) => keyword !== '$dynamicRef' && keyword !== 'allOf',
  );
  return [...faults, ...faultsOf(errors).map((fault) => ({ ...fault, pointer: pointer + fault.pointer }))];
}

type Schema = Readonly<Record<string, unknown>>;

function sizeFault(schema: object, pointer: string): Fault | undefined {
  if (JSON.stringify(schema).length > MAX_CHARACTERS)
    return { pointer, detail: `is longer than ${String(MAX_CHARACTERS)} characters` };
  let nodes = 0;
  let list: string | undefined;
  const deeper = (value: unknown, depth: number, at: string): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    nodes += 1;
    if (Array.isArray(value) && value.length > MAX_ITEMS) list ??= at;
    return (
      depth > DEEPEST ||
      Object.entries(value).some(([step, member]) => deeper(member, depth + 1, below(at, step)))
    );
  };
  if (deeper(schema, 1, pointer))
    return { pointer, detail: `is nested deeper than ${String(DEEPEST)} levels` };
  if (list !== undefined)
    return {
      pointer: list,
      detail: `has more than ${String(MAX_ITEMS)} items: a list of a schema is no table`,
    };
  if (nodes <= MAX_NODES) return undefined;
  return { pointer, detail: `holds more than ${String(MAX_NODES)} objects and arrays` };
}

/** Values, not schemas: a `$ref` in them refers to nothing. */
const data = new Set(['const', 'enum', 'default', 'examples']);

/** Characters of all patterns of a schema together that are judged, and what a short one counts for at least. */
const MAX_JUDGED = 10_000;
const LEAST_JUDGED = 50;

/** Judges the patterns of one schema, each once, within a budget: judging is what costs most of reading a schema. */
export class JudgedPatterns {
  private readonly faults = new Map<string, string | undefined>();
  private left = MAX_JUDGED;

  /** What is wrong with it; of the patterns beyond the budget only the first has a fault, and none is looked at. */
  faultOf(pattern: string): string | undefined {
    if (this.faults.has(pattern)) return this.faults.get(pattern);
    if (this.left < 0) return undefined;
    this.left -= Math.max(pattern.length, LEAST_JUDGED);
    if (this.left < 0) return patternFaults.many;
    const fault = patternFaults[judgePattern(pattern)];
    this.faults.set(pattern, fault);
    return fault;
  }
}

const patternFaults = {
  fine: undefined,
  invalid: 'must be a regular expression of ECMA-262',
  expensive: 'could take for ever: no repetition within a repetition, at most 2000 characters',
  many: `is one too many: the patterns of a schema have at most ${String(MAX_JUDGED)} characters together, each counted as ${String(LEAST_JUDGED)} at least`,
} as const;

interface Checked {
  readonly root: object;
  readonly patterns: JudgedPatterns;
}

/** Checks what the meta-schema can't: references must lead to a place in the same schema, since nothing is fetched. */
function wordFaults(value: unknown, checked: Checked, pointer: string): Fault[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (data.has(name)) return [];
    const inner = pointer + pointerStep(name);
    if (typeof member !== 'string') {
      const names = name === 'patternProperties' ? nameFaults(member, checked, inner) : [];
      return [...names, ...wordFaults(member, checked, inner)];
    }
    const detail = wordFault(name, member, checked, value === checked.root);
    return detail === undefined ? [] : [{ pointer: inner, detail }];
  });
}

/** Checks member names that are regular expressions. */
function nameFaults(members: unknown, { patterns }: Checked, pointer: string): Fault[] {
  if (typeof members !== 'object' || members === null) return [];
  return Object.keys(members).flatMap((name) => {
    const detail = patterns.faultOf(name);
    return detail === undefined ? [] : [{ pointer: pointer + pointerStep(name), detail }];
  });
}

function wordFault(
  name: string,
  word: string,
  { root, patterns }: Checked,
  atRoot: boolean,
): string | undefined {
  if (name === '$ref' && !leadsInside(word, root))
    return 'must lead to a place in this schema, like #/$defs/Name';
  if (name === '$dynamicRef' || (name === '$id' && !atRoot)) return 'is not taken: use #/$defs and $ref';
  return name === 'pattern' ? patterns.faultOf(word) : undefined;
}

function leadsInside(reference: string, root: object): boolean {
  if (reference === '#') return true;
  if (!reference.startsWith('#/')) return false;
  let place: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return false;
    place = Reflect.get(place, name);
  }
  return true;
}
