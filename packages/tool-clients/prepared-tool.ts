import type { JsonObject } from '../schema-reading/keywords.js';
import { checkedSchema } from './checked-schema.js';
import { unknown, type Form, type FormDocument, type Member } from './form.js';
import { jsonLiteral, wellFormed } from './literals.js';
import { byText, toolNames, type CodeName } from './names.js';
import { portablePattern } from './portable-pattern.js';
import { readForm } from './read-form.js';
import type { GenerationWarning, Language, ToolInterface, Warn } from './tool-interface.js';

/** A version of a tool, read and named, as emitters take it. */
export interface PreparedTool {
  readonly tool: ToolInterface;
  readonly names: CodeName;
  /** `v0_0_2` */
  readonly version: string;
  readonly input: FormDocument;
  readonly parameters: Parameters;
  /** Of the result. */
  readonly output: FormDocument;
  /** Regular expressions that are checked. */
  readonly patterns: readonly string[];
  readonly warn: Warn;
}

/** Arguments one by one. */
export interface Parameters {
  readonly members: readonly Member[];
  /** Of arguments that are not listed, where the tool is given them. */
  readonly further?: Form;
}

/** Levels of a schema that a module can be read with: Python gives up on JSON of some 900, and on less where others called it. */
const MOST_LEVELS = 200;

/** The tools in order of name and version. One that no module can be of is left out, with a warning. */
export function* prepareTools(
  tools: readonly ToolInterface[],
  warnings: GenerationWarning[],
): Generator<PreparedTool> {
  const sorted = tools.map((given) => {
    const isDeep = isDeeper([given.inputSchema, given.outputSchema], MOST_LEVELS + 1);
    const { outputSchema: _outputSchema, ...bare } = given;
    return { given, isDeep, tool: wellFormed(isDeep ? { ...bare, inputSchema: {} } : given) };
  });
  sorted.sort((a, b) => byText(a.tool.name, b.tool.name) || byText(a.tool.version, b.tool.version));
  const names = toolNames(sorted.map(({ tool }) => tool.name));
  const modules = new Set<string>();
  for (const { given, isDeep, tool } of sorted) {
    const warn: Warn = (pointer, code, detail) => {
      warnings.push({ tool: tool.name, version: tool.version, pointer, code, detail });
    };
    const codeName = names.get(tool.name) ?? { words: ['tool'] };
    const version = `v${tool.version.replace(/[^0-9A-Za-z]/g, '_').toLowerCase()}`;
    const module = `${codeName.words.join('_')} ${version}`;
    const fault = modules.has(module) ? 'It stands twice.' : isDeep ? tooDeep : faultOf(tool);
    if (fault !== undefined) {
      warn('', 'left_out', `${fault} The tool is left out.`);
      continue;
    }
    modules.add(module);
    if (JSON.stringify(given) !== JSON.stringify(tool))
      warn('', 'replaced', 'Half a surrogate pair is no Unicode: U+FFFD takes its place.');
    yield { names: codeName, version, warn, ...readSchemas(tool, warn) };
  }
}

const tooDeep = `A schema of it is nested deeper than ${String(MOST_LEVELS)} levels; give parts of it names in $defs.`;

/** Whether lists and objects stand in each other deeper than a number of levels; looks no deeper. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Why no module can be of the tool; undefined where one can. */
function faultOf({ version, digest }: ToolInterface): string | undefined {
  if (!/^\d{1,9}\.\d{1,9}\.\d{1,9}([-+][0-9A-Za-z.+-]{1,100})?$/.test(version))
    return 'Its version is no SemVer; give it one like 1.2.3, of nine digits a part at most.';
  if (!/^[0-9A-Za-z]{1,20}:[0-9A-Za-z+/=_-]{1,200}$/.test(digest))
    return 'Its digest is none; give it one like sha256:0f….';
  return undefined;
}

function readSchemas(
  tool: ToolInterface,
  warn: Warn,
): Pick<PreparedTool, 'tool' | 'input' | 'parameters' | 'output' | 'patterns'> {
  const input = checkedSchema(tool.inputSchema, '/inputSchema', warn);
  const output = tool.outputSchema && checkedSchema(tool.outputSchema, '/outputSchema', warn);
  const document = readForm(input.schema, '/inputSchema', warn);
  return {
    tool: { ...tool, inputSchema: input.schema, ...(output && { outputSchema: output.schema }) },
    input: document,
    parameters: parametersOf(document, warn),
    output: output
      ? readForm(output.schema, '/outputSchema', warn)
      : { root: unknown, definitions: new Map() },
    patterns: [...new Set([...input.patterns, ...(output?.patterns ?? [])])].sort(byText),
  };
}

function parametersOf({ root, definitions }: FormDocument, warn: Warn): Parameters {
  const form = root.kind === 'reference' ? (definitions.get(root.to) ?? unknown) : root;
  if (form.kind === 'object') return form;
  if (form.kind === 'map') return { members: [], further: form.values };
  warn(
    '/inputSchema',
    'not_typed',
    'The arguments are no plain object: they are given as a map. Add "type": "object".',
  );
  return { members: [], further: unknown };
}

/**
 * The literal that a module's contract is read from: spec, expressions, and which argument goes to which parameter. It is the
 * only place in code where texts of a spec stand whole.
 */
export function contractLiteral(
  { tool, patterns, parameters }: PreparedTool,
  names: ReadonlyMap<string, string>,
  language: Language,
): string {
  const sources = patterns.flatMap((pattern): [string, string][] => {
    const read = portablePattern(pattern, language);
    return 'source' in read ? [[pattern, read.source]] : [];
  });
  const contract: JsonObject = {
    spec: specOf(tool),
    patterns: Object.fromEntries(sources),
    parameters: Object.fromEntries(names),
    further: parameters.further !== undefined,
  };
  return jsonLiteral(contract);
}

function specOf({ name, version, title, description, host, ...rest }: ToolInterface): JsonObject {
  const { inputSchema, outputSchema, digest } = rest;
  return {
    ...{ name, version, title, description, digest, inputSchema },
    ...(host !== undefined && { host }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
}
