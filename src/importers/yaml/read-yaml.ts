import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import type { ImportLimits } from '../import-limits.js';
import { UnreadableDocument } from '../imported.js';
import { lineAndColumn } from '../json/read-json.js';
import { checkSeparators } from '../text-limits.js';
import { duplicateKeys } from './duplicate-keys.js';
import { MendedText } from './mended-text.js';

/** Core types of YAML 1.2, and the merge key (`<<`) that descriptions still use; every other tag is refused. */
const schema = CORE_SCHEMA.withTags(mergeTag);

const MAX_ALIASES = 20_000;
const MAX_MERGED_KEYS = 100_000;

/** Who wants to hear of faults that are read over. */
export interface YamlFaults {
  /** Is given RFC 6901 pointers of keys that stand twice in one place: the last one counts. */
  readonly onDuplicate: (pointer: string) => void;
  /** Is given the number of the first line that closes a flow collection no further in than its key, and how many. */
  readonly onShallowClosers?: (line: number, count: number) => void;
}

/**
 * Parses YAML text of one document. Faults that others read over are refused, unless somebody wants to hear of them.
 * What aliases repeat is not copied, so a bomb of them costs nothing until somebody walks through it.
 */
export function readYaml(text: string, limits: ImportLimits, faults?: YamlFaults): unknown {
  checkSeparators(text, limits.nodes, true);
  const options = {
    schema,
    maxDepth: limits.depth,
    maxAliases: MAX_ALIASES,
    maxTotalMergeKeys: MAX_MERGED_KEYS,
  };
  const mended = new MendedText(text);
  const refusedLine = faults?.onShallowClosers === undefined ? () => undefined : shallowLine;
  const parse = (more: { readonly json?: boolean }): unknown =>
    mended.read((now) => load(now, { ...options, ...more }), refusedLine);
  try {
    const value = parseOver(parse, faults, () => duplicateKeys(mended.text, limits.depth));
    const [first, ...others] = mended.numbers;
    if (first !== undefined) faults?.onShallowClosers?.(first, others.length + 1);
    return value;
  } catch (fault) {
    if (fault instanceof YAMLException) throw explain(fault, text);
    throw fault;
  }
}

/** The value also where keys stand twice; they are named where somebody wants to hear of them. */
function parseOver(
  parse: (more: { readonly json?: boolean }) => unknown,
  faults: YamlFaults | undefined,
  duplicates: () => Iterable<string>,
): unknown {
  try {
    return parse({});
  } catch (fault) {
    const isDuplicate = fault instanceof YAMLException && fault.reason === 'duplicated mapping key';
    if (!isDuplicate || faults === undefined) throw fault;
    const value = parse({ json: true });
    for (const pointer of duplicates()) faults.onDuplicate(pointer);
    return value;
  }
}

/** Of the fault that a line is not far enough in. */
function shallowLine(fault: unknown): number | undefined {
  const isShallow = fault instanceof YAMLException && fault.reason === 'deficient indentation';
  return isShallow ? fault.mark?.line : undefined;
}

function explain(fault: YAMLException, text: string): UnreadableDocument {
  const { line, column } = placeOf(fault, text);
  const place = `at line ${String(line)}, column ${String(column)}`;
  if (/exceeded max/.test(fault.reason)) {
    return new UnreadableDocument(
      fault.reason.includes('maxDepth') ? 'document_too_deep' : 'document_too_expensive',
      `The YAML is nested too deep, or repeats itself without measure (${fault.reason}), ${place}. Flatten it, or refer to parts by $ref.`,
    );
  }
  return new UnreadableDocument(
    'malformed_yaml',
    `This is no YAML: ${fault.reason} ${place}. Mend the text there and send it again.`,
  );
}

function placeOf({ mark }: YAMLException, text: string): { line: number; column: number } {
  if (mark) return { line: mark.line + 1, column: mark.column + 1 };
  // Of a second document in the stream the parser does not say where it starts.
  const second = text.slice(1).search(/^---(\s|$)/m);
  return lineAndColumn(text, second < 0 ? 0 : second + 1);
}
