import { type Fault, Invalid } from '../../kernel/errors.js';
import { BoundedAjv, type Check } from '../../platform/validation/validator.js';
import { faultsOf, pointerStep } from '../../platform/validation/faults.js';
import { below } from '../../documents/json.js';
import { MAX_ITEMS } from '../../documents/limits.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { judgePattern } from '../../../packages/schema-reading/patterns.js';

/** Far more than any tool needs, and still quick to read and compile. */
const MAX_CHARACTERS = 262_144;
const MAX_NODES = 10_000;
const DEEPEST = 48;
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Checks against the meta-schema; the given schema is a value and never compiled. */
let checkSchema: Check | undefined;

/** What is wrong with a schema. */
export interface SchemaFault extends Fault {
  /** It goes beyond a limit that schemas were kept without before. */
  readonly late?: true;
}

interface ToolSchemas {
  readonly inputSchema?: object | undefined;
  readonly responseSchema?: object | null | undefined;
  /** What versions call it. */
  readonly outputSchema?: object | null | undefined;
}

/**
 * Refuses what is no self-contained JSON Schema 2020-12, and names every fault by its pointer. An input schema
 * must describe an object: a strict MCP client refuses the whole list for one tool that does not.
 */
export function checkToolSchemas(body: ToolSchemas): void {
  const late = lateRefusal(body);
  if (late !== undefined) throw late;
}

/**
 * Refuses the same, but for what goes beyond a limit that came later.
 *
 * @returns the refusal of that, for {@link refuseUnlessKept}
 */
export function lateRefusal(body: ToolSchemas): Invalid | undefined {
  const { inputSchema, responseSchema, outputSchema } = body;
  const faults = [
    ...(inputSchema === undefined ? [] : schemaFaults(inputSchema, '/inputSchema')),
    ...(responseSchema == null ? [] : schemaFaults(responseSchema, '/responseSchema')),
    ...(outputSchema == null ? [] : schemaFaults(outputSchema, '/outputSchema')),
  ];
  if (inputSchema !== undefined && (inputSchema as Schema)['type'] !== 'object') {
    faults.push({ pointer: '/inputSchema/type', detail: 'must be "object": the arguments are one object' });
  }
  const { now, late } = byAge(faults, ({ pointer, detail }) => ({ pointer, detail }));
  if (now.length > 0) throw unfit([...now, ...late]);
  return late.length > 0 ? unfit(late) : undefined;
}

const unfit = (faults: readonly Fault[]): Invalid =>
  new Invalid('invalid_schema', 'A schema can’t be kept as it is.', faults);

/** Faults of what no schema may ever have had, and of limits that came later. */
export function byAge<Found extends Pick<SchemaFault, 'late'>, Placed>(
  faults: readonly Found[],
  placed: (fault: Found) => Placed,
): { readonly now: readonly Placed[]; readonly late: readonly Placed[] } {
  return {
    now: faults.filter(({ late }) => late !== true).map(placed),
    late: faults.filter(({ late }) => late === true).map(placed),
  };
}

interface KeptSchemas {
  readonly inputSchema?: object | undefined;
  readonly outputSchema?: object | null | undefined;
}

/** Throws the refusal, unless what is given is kept already: a limit that came later is one for new schemas. */
export function refuseUnlessKept(
  refusal: Invalid | undefined,
  given: KeptSchemas,
  kept: readonly KeptSchemas[],
): void {
  if (refusal === undefined) return;
  const isKept = (side: keyof KeptSchemas): boolean => {
    const schema = given[side];
    if (schema == null) return true;
    const text = canonicalJson(schema);
    return kept.some((each) => each[side] != null && canonicalJson(each[side]) === text);
  };
  if (!isKept('inputSchema') || !isKept('outputSchema')) throw refusal;
}

/**
 * What keeps a schema from being kept, each with its pointer below that of the schema.
 *
 * @param patterns that were judged of what the schema is a part of
 */
export function schemaFaults(
  schema: object,
  pointer: string,
  patterns = new JudgedPatterns(),
): SchemaFault[] {
  const { size, list } = sizeFaults(schema, pointer);
  if (size !== undefined) return [size];
  const faults: SchemaFault[] = [...list];
  wordFaults(schema, { root: schema, patterns, faults }, pointer);
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

interface SizeFaults {
  /** It is not looked at any further. */
  readonly size?: Fault;
  readonly list: readonly SchemaFault[];
}

function sizeFaults(schema: object, pointer: string): SizeFaults {
  const tooLarge = (detail: string): SizeFaults => ({ size: { pointer, detail }, list: [] });
  if (JSON.stringify(schema).length > MAX_CHARACTERS)
    return tooLarge(`is longer than ${String(MAX_CHARACTERS)} characters`);
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
  if (deeper(schema, 1, pointer)) return tooLarge(`is nested deeper than ${String(DEEPEST)} levels`);
  if (nodes > MAX_NODES) return tooLarge(`holds more than ${String(MAX_NODES)} objects and arrays`);
  const detail = `has more than ${String(MAX_ITEMS)} items: a list of a schema is no table`;
  return { list: list === undefined ? [] : [{ pointer: list, detail, late: true }] };
}

/** Values, not schemas: a `$ref` in them refers to nothing. */
const data = new Set(['const', 'enum', 'default', 'examples']);

/** Characters of all patterns of a schema together that are judged, and what a short one counts for at least. */
const MAX_JUDGED = 10_000;
const LEAST_JUDGED = 50;

/** Judges the patterns of one schema, each once, within a budget: judging is what costs most of reading a schema. */
export class JudgedPatterns {
  private readonly faults = new Map<string, Unplaced | undefined>();
  private left = MAX_JUDGED;

  /** What is wrong with it; of the patterns beyond the budget only the first has a fault, and none is looked at. */
  faultOf(pattern: string): Unplaced | undefined {
    if (this.faults.has(pattern)) return this.faults.get(pattern);
    if (this.left < 0) return undefined;
    this.left -= Math.max(pattern.length, LEAST_JUDGED);
    if (this.left < 0) return patternFaults.many;
    const fault = patternFaults[judgePattern(pattern)];
    this.faults.set(pattern, fault);
    return fault;
  }
}

type Unplaced = Omit<SchemaFault, 'pointer'>;

const patternFaults = {
  fine: undefined,
  invalid: { detail: 'must be a regular expression of ECMA-262' },
  expensive: { detail: 'could take for ever: no repetition within a repetition, at most 2000 characters' },
  many: {
    detail: `is one too many: the patterns of a schema have at most ${String(MAX_JUDGED)} characters together, each counted as ${String(LEAST_JUDGED)} at least`,
    late: true,
  },
} as const;

interface Checked {
  readonly root: object;
  readonly patterns: JudgedPatterns;
  /** What was found so far. */
  readonly faults: SchemaFault[];
}

/** Checks what the meta-schema can't: references must lead to a place in the same schema, since nothing is fetched. */
function wordFaults(value: object, checked: Checked, pointer: string): void {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (data.has(name)) continue;
    if (typeof member === 'string') {
      const fault = wordFault(name, member, checked, value === checked.root);
      if (fault !== undefined) checked.faults.push({ pointer: pointer + pointerStep(name), ...fault });
    } else if (typeof member === 'object' && member !== null) {
      const inner = pointer + pointerStep(name);
      if (name === 'patternProperties') nameFaults(member, checked, inner);
      wordFaults(member, checked, inner);
    }
  }
}

/** Checks member names that are regular expressions. */
function nameFaults(members: object, { patterns, faults }: Checked, pointer: string): void {
  for (const name of Object.keys(members)) {
    const fault = patterns.faultOf(name);
    if (fault !== undefined) faults.push({ pointer: pointer + pointerStep(name), ...fault });
  }
}

function wordFault(
  name: string,
  word: string,
  { root, patterns }: Checked,
  atRoot: boolean,
): Unplaced | undefined {
  if (name === '$ref' && !leadsInside(word, root))
    return { detail: 'must lead to a place in this schema, like #/$defs/Name' };
  if (name === '$dynamicRef' || (name === '$id' && !atRoot))
    return { detail: 'is not taken: use #/$defs and $ref' };
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
