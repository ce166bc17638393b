import { createHash } from 'node:crypto';
import type { Fault } from '../../documents/findings.js';
import {
  below,
  isObject,
  listMember,
  member,
  stepsOf,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { byAge, JudgedPatterns, type SchemaFault, schemaFaults } from './tool-schema-check.js';
import { type CompositeCall, type KeptComposite, writtenComposite } from '../calls/composite-call.js';
import { type GraphqlCall, type KeptCall, writtenCall } from '../calls/graphql-call.js';
import { callFaults } from './spec-calls.js';
import { readSpecFile, type FileFault, type FileText } from './spec-file.js';
import { evalConfigSchema, toolSpecSchema } from './tool-spec.schema.js';

/** One version of a tool, as its author writes it. */
export interface ToolSpec {
  /** MAJOR.MINOR.PATCH */
  readonly version: string;
  /** Name for people; the tool's name where none is given. */
  readonly title: string;
  readonly name: string;
  readonly description: string;
  readonly host: string | null;
  readonly owner: string | null;
  /** JSON Schema 2020-12 of an object; a list of parameters is read as one. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  readonly annotations: Readonly<Partial<Record<Annotation, boolean>>>;
  /** What a call carries out, where the file says it: a GraphQL operation, or one of several by a parameter. */
  readonly graphql: GraphqlCall | null;
  readonly composite: CompositeCall | null;
  readonly examples: readonly SpecExample[];
}

export type Annotation = 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint';

export interface SpecExample {
  readonly prompt?: string;
  readonly arguments?: JsonObject;
  readonly result?: Json;
}

/** How a version is evaluated. */
export interface EvalConfig {
  readonly prompts: readonly {
    readonly prompt: string;
    /** The tool itself where none is named. */
    readonly expected: readonly string[];
    readonly forbidden: readonly string[];
  }[];
  readonly thresholds: Readonly<Partial<Record<'hitAt1' | 'hitAt5' | 'mrrAt10', number>>>;
}

/** What a file says, or what is wrong with it. */
export type Read<Value> =
  | {
      readonly value: Value;
      readonly faults: readonly [];
      /** What goes beyond limits that came later: of what is kept already no faults. */
      readonly late?: readonly FileFault[];
      readonly placeOf: PlaceOf;
    }
  | { readonly value?: undefined; readonly faults: readonly FileFault[] };

/** Where the file has what a pointer names in the value that was read from it. */
export type PlaceOf = (pointer: string) => { readonly pointer: string; readonly line: number };

const path = /(?:^|\/)([^/]+)\/v(\d+)_(\d+)_(\d+)\.ya?ml$/;

/** Name and version that a path says: `tools/specs/read_file/v0_0_2.yaml`; undefined where it says none. */
export function namedBy(file: string): { readonly name: string; readonly version: string } | undefined {
  const [, name, ...parts] = path.exec(file) ?? [];
  return name === undefined ? undefined : { name, version: parts.join('.') };
}

/** Where a version's file lies, below the folder of its kind. */
export function fileOf(name: string, version: string): string {
  return `${name}/v${version.replaceAll('.', '_')}.yaml`;
}

/** Reads a spec; every fault says its file, line and pointer. Without a path it may have any name and version. Pure. */
export function readToolSpec(file: FileText): Read<ToolSpec> {
  const { value, faults, late: rounded, fault, lineOf } = readSpecFile(file, toolSpecSchema);
  if (value === undefined) return { faults };
  const spec = specOf(value);
  const found = [
    ...(file.path === '' ? [] : pathFaults(file.path, spec)),
    ...(isShort(value) ? parameterFaults(value) : schemaFaults(spec.inputSchema, '/inputSchema')),
    ...(spec.outputSchema === null ? [] : schemaFaults(spec.outputSchema, '/outputSchema')),
    ...callFaults(spec),
  ];
  const { now, late: others } = byAge(
    found,
    ({ pointer, detail, rule = 'schema' }: SchemaFault & { rule?: string }) => fault(rule, pointer, detail),
  );
  const late = [...others, ...rounded];
  if (now.length > 0) return { faults: [...now, ...late] };
  const placeOf: PlaceOf = (pointer) => {
    const written = isShort(value) ? pointerInParameters(value, pointer) : pointer;
    return { pointer: written, line: lineOf(written) };
  };
  return { value: spec, faults: [], late, placeOf };
}

/** Where a list of parameters has what the schema that it stands for has at the pointer. */
function pointerInParameters(value: Json, pointer: string): string {
  const [side, keyword, name, ...rest] = stepsOf(pointer);
  if (side !== 'inputSchema' || keyword === undefined) return pointer;
  const place = parametersOf(value).findIndex((parameter) => textMember(parameter, 'name') === name);
  if (keyword !== 'properties' || place < 0) return '/inputSchema/parameters';
  return below('/inputSchema/parameters', place, ...rest);
}

/** Reads how the version that the path names is evaluated. */
export function readEvalConfig(file: FileText): Read<EvalConfig> {
  const { value, faults, fault, lineOf } = readSpecFile(file, evalConfigSchema);
  if (value === undefined) return { faults };
  const name = namedBy(file.path)?.name;
  if (name === undefined) return { faults: [fault('path', '', unnamed)] };
  const prompts = listMember(value, 'prompts').map((each) => ({
    prompt: textMember(each, 'prompt') ?? '',
    expected: namesIn(each, 'expected', [name]),
    forbidden: namesIn(each, 'forbidden', []),
  }));
  const clashes = prompts.flatMap(({ expected, forbidden }, place) =>
    expected
      .filter((tool) => forbidden.includes(tool))
      .map((tool) =>
        fault(
          'contradiction',
          below('/prompts', place, 'forbidden'),
          `${tool} is expected by this prompt too`,
        ),
      ),
  );
  if (clashes.length > 0) return { faults: clashes };
  const thresholds = (member(value, 'thresholds') ?? {}) as EvalConfig['thresholds'];
  return {
    value: { prompts, thresholds },
    faults: [],
    placeOf: (pointer) => ({ pointer, line: lineOf(pointer) }),
  };
}

function namesIn(value: Json, key: string, otherwise: readonly string[]): readonly string[] {
  const names = listMember(value, key) as readonly string[];
  return names.length === 0 ? otherwise : names;
}

/** `sha256:…` of what a version is: the same for a file that says the same in another way. */
export function specDigest(spec: ToolSpec): string {
  return `sha256:${createHash('sha256').update(canonicalJson(spec)).digest('hex')}`;
}

/** What is kept of a version, whether or not a spec was pushed. */
export interface VersionFields {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly host: string | null;
  readonly safety: {
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
  } | null;
  readonly inputSchema: object;
  readonly outputSchema?: object | null;
  /** The operation that a call carries out. */
  readonly call?: KeptCall | KeptComposite | null;
}

/**
 * The spec of a version for which none was pushed.
 *
 * @param written the last before it that was: title, owner, examples and host go on
 */
export function specFrom(known: VersionFields, written?: ToolSpec): ToolSpec {
  const { name, version, description, safety, inputSchema, outputSchema = null, call } = known;
  const { title = name, owner = null, examples = [] } = written ?? {};
  return {
    ...{ version, title, name, description, host: known.host ?? written?.host ?? null, owner },
    ...{ ...saidBy(call), examples },
    inputSchema: inputSchema as JsonObject,
    outputSchema: outputSchema as JsonObject | null,
    annotations: {
      readOnlyHint: safety?.readOnly === true,
      destructiveHint: safety?.destructive === true,
      idempotentHint: safety?.idempotent === true,
    },
  };
}

function saidBy(call: VersionFields['call']): Pick<ToolSpec, 'graphql' | 'composite'> {
  if (call == null) return { graphql: null, composite: null };
  return 'alternatives' in call
    ? { graphql: null, composite: writtenComposite(call) }
    : { graphql: writtenCall(call), composite: null };
}

const unnamed = 'The path must end in <name>/v<major>_<minor>_<patch>.yaml, like read_file/v0_0_2.yaml.';

function pathFaults(file: string, { name, version }: ToolSpec): (Fault & { rule: string })[] {
  const said = namedBy(file);
  if (said === undefined) return [{ rule: 'path', pointer: '', detail: unnamed }];
  const differs = (pointer: string, own: string, other: string): (Fault & { rule: string })[] =>
    own === other ? [] : [{ rule: 'path', pointer, detail: `is ${own}, and the path says ${other}` }];
  return [...differs('/name', name, said.name), ...differs('/version', version, said.version)];
}

function specOf(value: Json): ToolSpec {
  const text = (name: string): string => textMember(value, name) ?? '';
  return {
    version: text('version'),
    title: textMember(value, 'title') ?? text('name'),
    name: text('name'),
    description: text('description'),
    host: textMember(value, 'host') ?? null,
    owner: textMember(value, 'owner') ?? null,
    inputSchema: isShort(value) ? ofParameters(value) : (member(value, 'inputSchema') as JsonObject),
    outputSchema: (member(value, 'outputSchema') ?? null) as JsonObject | null,
    annotations: (member(value, 'annotations') ?? {}) as ToolSpec['annotations'],
    graphql: (member(value, 'graphql') ?? null) as unknown as GraphqlCall | null,
    composite: (member(value, 'composite') ?? null) as unknown as CompositeCall | null,
    examples: listMember(value, 'examples') as unknown as readonly SpecExample[],
  };
}

function isShort(value: Json): boolean {
  return Array.isArray(member(member(value, 'inputSchema'), 'parameters'));
}

const parametersOf = (value: Json): readonly Json[] => listMember(member(value, 'inputSchema'), 'parameters');

/** The object that a list of parameters describes; nothing else is taken. */
function ofParameters(value: Json): JsonObject {
  const parameters = parametersOf(value);
  const properties = Object.fromEntries(
    parameters.map((each) => [textMember(each, 'name') ?? '', propertyOf(each)]),
  );
  const required = parameters.flatMap((each) =>
    member(each, 'required') === true ? (textMember(each, 'name') ?? []) : [],
  );
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function propertyOf(parameter: Json): JsonObject {
  const { name: _name, required: _required, ...schema } = isObject(parameter) ? parameter : {};
  return schema;
}

function parameterFaults(value: Json): (SchemaFault & { rule: string })[] {
  const seen = new Set<string>();
  const patterns = new JudgedPatterns();
  return parametersOf(value).flatMap((parameter, place) => {
    const pointer = below('/inputSchema/parameters', place);
    const name = textMember(parameter, 'name') ?? '';
    const isKnown = seen.has(name);
    seen.add(name);
    const clashes = member(parameter, 'required') === true && member(parameter, 'default') !== undefined;
    return [
      ...(isKnown
        ? [{ rule: 'parameter_twice', pointer: `${pointer}/name`, detail: `${name} is listed already` }]
        : []),
      ...(clashes
        ? [
            {
              ...{ rule: 'required_default', pointer: `${pointer}/default` },
              detail: 'a required parameter is never left out: drop the default, or `required`',
            },
          ]
        : []),
      ...schemaFaults(propertyOf(parameter), pointer, patterns).map((fault) => ({
        rule: 'schema',
        ...fault,
      })),
    ];
  });
}
