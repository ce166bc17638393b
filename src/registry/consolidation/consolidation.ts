/** One tool in place of several, as a draft to edit. Pure. */
import { isDeepStrictEqual } from 'node:util';
import {
  entriesOf,
  isObject,
  member,
  textMember,
  textsOf,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { type LintFinding, lintTool } from '../specs/tool-lint.js';
import type { Annotation, ToolSpec } from '../specs/tool-spec.js';
import { partsOf } from '../specs/version-number.js';
import {
  type Confusion,
  groupsOf,
  isReading,
  isReadingVerb,
  MAX_TOOLS,
  singular,
  splitName,
  type ToolGroup,
} from './tool-groups.js';
import { crowded, lostNotes, type Omission, unknownAmong, writingAmong } from './omissions.js';
import { writeToolSpec } from '../specs/write-tool-spec.js';

export interface Consolidation {
  /** Names of the tools that it would replace. */
  readonly tools: readonly string[];
  readonly reasons: readonly string[];
  readonly spec: ToolSpec;
  /** The spec as a file. */
  readonly text: string;
  /** What somebody has to look at. */
  readonly notes: readonly string[];
  /** What is weak about the draft as it is. */
  readonly findings: readonly LintFinding[];
}

export interface ConsolidationOptions {
  readonly confusions?: readonly Confusion[];
  /** Only these, as one, whatever they read. */
  readonly tools?: readonly string[];
  /** Name of the new tool, where it is one. */
  readonly name?: string;
}

export interface Consolidations {
  readonly proposals: readonly Consolidation[];
  /** What could have been part of one, and why it is not. */
  readonly omitted: readonly Omission[];
}

/** Proposes tools in place of those that read the same, or are taken for each other. What changes something is left alone. */
export function consolidate(specs: readonly ToolSpec[], options: ConsolidationOptions = {}): Consolidations {
  const { tools: wanted, confusions = [], name } = options;
  const named = specs.filter((spec) => isReading(spec) && (wanted?.includes(spec.name) ?? true));
  const found = groupsOf(named, confusions);
  if (wanted === undefined) {
    const groups = found.filter(({ tools }) => tools.length <= MAX_TOOLS);
    const confused = confusions.flatMap(({ expected, found: taken }) => [expected, taken]);
    const omitted = [
      ...writingAmong(specs, { wanted, confusions, groups: found }),
      ...crowded(found.filter((group) => !groups.includes(group))),
      ...unknownAmong(specs, confused),
    ];
    return { proposals: groups.map((group) => draftOf(group, specs)), omitted };
  }
  const reasons = [...new Set(found.flatMap((group) => group.reasons))];
  const resource =
    found[0]?.resource ??
    singular(
      splitName(wanted[0] ?? '')
        .filter((word) => !isReadingVerb(word))
        .join(' '),
    );
  const group = { resource, tools: named, reasons: reasons.length > 0 ? reasons : ['They were named.'] };
  const omitted = [
    ...writingAmong(specs, { wanted, confusions, groups: [] }),
    ...unknownAmong(specs, wanted),
    ...(named.length === 1
      ? [{ tool: named[0]?.name ?? '', reason: 'No other tool is left to be one with.' }]
      : []),
  ];
  return { proposals: named.length < 2 ? [] : [draftOf(group, specs, name)], omitted };
}

/** The parameter that says which of the former tools is meant. */
const SELECTOR = 'operation';

interface Operation {
  readonly value: string;
  readonly tool: ToolSpec;
}

function draftOf(group: ToolGroup, all: readonly ToolSpec[], wantedName?: string): Consolidation {
  const { resource, tools, reasons } = group;
  const name = (wantedName ?? `get_${resource.replaceAll(' ', '_')}`).slice(0, 64);
  const operations = operationsOf(tools, resource);
  const notes: string[] = [];
  const inputSchema = inputOf(operations, notes);
  const former = all.find((spec) => spec.name === name);
  const shared = <Value>(of: (spec: ToolSpec) => Value): Value | null => {
    const [first, ...others] = tools.map(of);
    return first !== undefined && others.every((other) => isDeepStrictEqual(first, other)) ? first : null;
  };
  const outputSchema = shared((tool) => tool.outputSchema);
  if (outputSchema === null && tools.some((tool) => tool.outputSchema !== null))
    notes.push('The tools answer in different shapes: write one outputSchema that all of them fit.');
  const spec: ToolSpec = {
    version: former === undefined ? '0.1.0' : `${String(partsOf(former.version)[0] + 1)}.0.0`,
    ...{ name, title: titleOf(name), description: descriptionOf(resource, operations) },
    ...{ host: shared((tool) => tool.host), owner: shared((tool) => tool.owner) },
    ...{ inputSchema, outputSchema, annotations: annotationsOf(tools) },
    ...{ graphql: null, composite: null },
    examples: operations.flatMap(({ value, tool }) =>
      tool.examples.map(({ arguments: given, ...example }) => ({
        ...example,
        ...(given !== undefined && { arguments: { [SELECTOR]: value, ...given } }),
      })),
    ),
  };
  notes.push(...lostNotes(tools));
  if (former !== undefined)
    notes.push(`${name} exists: the draft is its next major version, ${spec.version}.`);
  const names = tools.map((tool) => tool.name);
  return { tools: names, reasons, spec, text: writeToolSpec(spec), notes, findings: lintTool(spec) };
}

/** What of a name is neither the resource nor what all share: `list_issue_notes` is `list_notes` of an issue. */
function operationsOf(tools: readonly ToolSpec[], resource: string): readonly Operation[] {
  const own = resource.split(' ');
  const split = tools.map((tool) => splitName(tool.name));
  const used = new Set<string>();
  return tools.map((tool, place) => {
    const words = split[place] ?? [];
    const verbs = words.filter(isReadingVerb);
    const rest = words.filter((word) => !isReadingVerb(word) && !own.includes(singular(word)));
    // A word of one name alone says nothing where a verb does: the product in gitlab_issue_search.
    const telling = isReadingVerb(words[0] ?? '') ? rest : [];
    const value = [...verbs, ...telling].join('_') || words.join('_');
    const unique = used.has(value) ? words.join('_') : value;
    used.add(unique);
    return { value: unique, tool };
  });
}

/** Flat, since providers of models refuse `oneOf` at the top: what each operation needs is said in the descriptions. */
function inputOf(operations: readonly Operation[], notes: string[]): JsonObject {
  const parameters = new Map<
    string,
    { readonly operation: Operation; readonly schema: Json; readonly required: boolean }[]
  >();
  for (const operation of operations) {
    const { inputSchema } = operation.tool;
    const required = textsOf(inputSchema, 'required');
    for (const [name, schema] of entriesOf(inputSchema['properties'])) {
      const uses = parameters.get(name) ?? [];
      parameters.set(name, [...uses, { operation, schema, required: required.includes(name) }]);
    }
    if (inputSchema['$defs'] !== undefined || inputSchema['allOf'] !== undefined)
      notes.push(
        `${operation.tool.name} has more in its schema than properties: carry over what holds for the new tool.`,
      );
  }
  const always: string[] = [SELECTOR];
  const properties: Record<string, Json> = {
    [SELECTOR]: {
      type: 'string',
      enum: operations.map(({ value }) => value),
      description: selectorText(operations),
    },
  };
  for (const [name, uses] of parameters) {
    const key = name === SELECTOR ? `${SELECTOR}_of_tool` : name;
    const isEverywhere = uses.length === operations.length;
    if (isEverywhere && uses.every(({ required }) => required)) always.push(key);
    properties[key] = mergedProperty(name, uses, { isEverywhere, notes });
  }
  return { type: 'object', properties, required: always, additionalProperties: false };
}

function selectorText(operations: readonly Operation[]): string {
  return `What to read. ${operations.map(({ value, tool }) => `${value}: ${firstSentence(tool.description)}`).join(' ')}`;
}

function mergedProperty(
  name: string,
  uses: readonly { readonly operation: Operation; readonly schema: Json; readonly required: boolean }[],
  { isEverywhere, notes }: { readonly isEverywhere: boolean; readonly notes: string[] },
): JsonObject {
  const bare = uses.map(({ schema }) => bareOf(schema));
  const distinct = bare.filter(
    (schema, place) => bare.findIndex((other) => isDeepStrictEqual(schema, other)) === place,
  );
  if (distinct.length > 1)
    notes.push(
      `${name} has other schemas in ${uses.map(({ operation }) => operation.tool.name).join(', ')}: choose one, or give it two names.`,
    );
  const text = uses.map(({ schema }) => textMember(schema, 'description')).find((each) => each !== undefined);
  const values = (some: typeof uses): string => some.map(({ operation }) => operation.value).join(', ');
  const needed = uses.filter(({ required }) => required);
  const isNeeded = needed.length === uses.length;
  const said = [
    ...(text === undefined ? [] : [text.replace(/\.?$/, '.')]),
    ...(isEverywhere || isNeeded ? [] : [`For ${values(uses)}.`]),
    ...(needed.length === 0 || (isEverywhere && isNeeded) ? [] : [`Needed for ${values(needed)}.`]),
  ];
  const defaults = uses.map(({ schema }) => member(schema, 'default'));
  const [first] = defaults;
  const keepsDefault =
    needed.length === 0 && first !== undefined && defaults.every((each) => isDeepStrictEqual(each, first));
  if (!keepsDefault && defaults.some((each) => each !== undefined))
    notes.push(`${name} has a default in some of the tools only, or different ones: the draft has none.`);
  return {
    ...(distinct.length === 1 && isObject(distinct[0]) ? distinct[0] : { anyOf: distinct }),
    ...(said.length > 0 && { description: said.join(' ') }),
    ...(keepsDefault && { default: first }),
  };
}

/** The schema without what does not constrain. */
function bareOf(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { description: _description, default: _default, title: _title, ...rest } = schema;
  return rest;
}

/** All of them only read; another hint holds of the new tool where it holds of all. */
function annotationsOf(tools: readonly ToolSpec[]): ToolSpec['annotations'] {
  const names: readonly Annotation[] = ['readOnlyHint', 'idempotentHint', 'openWorldHint'];
  const shared = names.flatMap((name) => {
    const values = new Set(tools.map(({ annotations }) => annotations[name]));
    const [value] = values;
    return values.size === 1 && value !== undefined ? [[name, value] as const] : [];
  });
  return Object.fromEntries(shared);
}

function descriptionOf(resource: string, operations: readonly Operation[]): string {
  const values = operations.map(({ value }) => value).join(', ');
  return `Reads ${resource} data: ${values}. Use it whenever a question is about ${article(resource)} ${resource}; operation says what is read.`;
}

/** By its first letter: an issue, a note. */
function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a';
}

const titleOf = (name: string): string =>
  splitName(name)
    .join(' ')
    .replace(/^./, (letter) => letter.toUpperCase());

const firstSentence = (text: string): string =>
  `${(/^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text).replace(/[.!?]$/, '').trim()}.`;
