import {
  boolCoreTag,
  CORE_SCHEMA,
  dump,
  floatCoreTag,
  intCoreTag,
  load,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  YAMLException,
  type ScalarTagDefinition,
  type Schema,
} from 'js-yaml';
import { lineAndColumn } from '../platform/validation/faults.js';
import { cleanDocument } from './clean-document.js';
import { UnreadableDocument, WarningLog } from './findings.js';
import type { Json } from './json.js';
import { checkSeparators, smallTextLimits, type DocumentLimits } from './limits.js';
import { settleNumbers } from './settle-numbers.js';
import { WrittenNumber, writtenNumber } from './written-numbers.js';
import { nodesOf } from './yaml-nodes.js';
import { shallowLines } from './yaml-shallow-lines.js';

/**
 * Core types of YAML 1.2, and the merge key (`<<`) that descriptions still use; every other tag is refused. Keys are what was
 * written, and so are numbers and flags, until it is known what they stand for.
 *
 * @param onWritten is called for each that may be a text
 */
function schemaOf(onWritten: () => void): Schema {
  const asWritten = <Value>(
    tag: ScalarTagDefinition<Value>,
    readAs: (value: Value, source: string) => unknown,
  ): ScalarTagDefinition => ({
    ...tag,
    resolve: (source, isExplicit, tagName) => {
      const value = tag.resolve(source, isExplicit, tagName);
      const read = value === NOT_RESOLVED ? value : readAs(value, source);
      if (read instanceof WrittenNumber) onWritten();
      return read;
    },
  });
  const flag = (value: boolean, source: string): boolean | WrittenNumber =>
    String(value) === source ? value : new WrittenNumber(value, source);
  const keyOf = (key: unknown): unknown => (key instanceof WrittenNumber ? key.text : key);
  const map: typeof mapTag = {
    ...mapTag,
    addPair: (container, key, value) => mapTag.addPair(container, keyOf(key), value),
    has: (container, key) => mapTag.has(container, keyOf(key)),
    get: (container, key) => mapTag.get(container, keyOf(key)),
  };
  const numbers = [asWritten(intCoreTag, writtenNumber), asWritten(floatCoreTag, writtenNumber)];
  return CORE_SCHEMA.withTags(mergeTag, map, asWritten(boolCoreTag, flag), ...numbers);
}

/** Handlers of faults that can be tolerated; a fault without a handler is refused. */
export interface YamlFaults {
  /** Receives the RFC 6901 pointer of each duplicate key: the last one counts. */
  readonly onDuplicate: (pointer: string) => void;
  /** Receives the number of the first line within a flow collection or quoted text that is no further in than its key, and how many there are. */
  readonly onShallowLines?: (line: number, count: number) => void;
}

/**
 * Parses YAML text of one document. What aliases repeat is not copied, so a bomb of them costs nothing until somebody
 * walks through it.
 *
 * @throws UnreadableDocument with line and column
 */
export function readYaml(text: string, limits: DocumentLimits, faults?: YamlFaults): unknown {
  checkSeparators(text, limits.nodes, true);
  const written = { any: false };
  const schema = schemaOf(() => {
    written.any = true;
  });
  const options = { schema, maxDepth: limits.depth, maxAliases: 20_000, maxTotalMergeKeys: 100_000 };
  const lines = new MendedText(text);
  const parse = (json: boolean): unknown =>
    lines.mending(faults?.onShallowLines !== undefined, () => load(lines.text, { ...options, json }));
  try {
    const value = parseOver(parse, lines, limits, faults);
    const [first] = lines.moved;
    if (first !== undefined) faults?.onShallowLines?.(first + 1, lines.moved.length);
    return written.any ? settleNumbers(value) : value;
  } catch (fault) {
    if (fault instanceof YAMLException) throw explain(fault, text);
    throw fault;
  }
}

/**
 * Parses YAML that somebody wrote by hand, into plain JSON: a tree within limits, what aliases repeat included, with no
 * key twice in one place.
 *
 * @throws UnreadableDocument with line and column
 */
export function parseYaml(text: string): Json {
  return cleanDocument(readYaml(text, smallTextLimits), smallTextLimits, new WarningLog());
}

/** Writes plain JSON as YAML 1.2: members in their order, long texts on lines of their own. */
export function writeYaml(value: object): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}

/** Parses also where keys stand twice, and reports them, if somebody listens. */
function parseOver(
  parse: (json: boolean) => unknown,
  lines: MendedText,
  limits: DocumentLimits,
  faults: YamlFaults | undefined,
): unknown {
  try {
    return parse(false);
  } catch (fault) {
    const isDuplicate = fault instanceof YAMLException && fault.reason === 'duplicated mapping key';
    if (!isDuplicate || faults === undefined) throw fault;
    const value = parse(true);
    for (const { pointer, repeatsKey } of nodesOf(lines.text, limits.depth)) {
      if (repeatsKey) faults.onDuplicate(pointer);
    }
    return value;
  }
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
  // The parser does not say where a second document of the stream starts.
  const second = text.slice(1).search(/^---(\s|$)/m);
  return lineAndColumn(text, second < 0 ? 0 : second + 1);
}

/** Blanks that may be put into a text beside as many as it has characters. */
const SPARE_BLANKS = 65_536;

/**
 * A text whose lines within flow collections and quoted texts are moved in where the parser refuses them: YAML asks for
 * that much, other parsers don't, and much that is published closes at the indentation of the key.
 */
class MendedText {
  /** Numbers of the lines that were moved, from 0; the first was refused. */
  readonly moved: number[] = [];

  constructor(public text: string) {}

  /** Parses the text, once more with lines moved where that may help. */
  mending(mayMove: boolean, parse: () => unknown): unknown {
    try {
      return parse();
    } catch (fault) {
      const isShallow = fault instanceof YAMLException && fault.reason === 'deficient indentation';
      const line = isShallow && mayMove && this.moved.length === 0 ? fault.mark?.line : undefined;
      if (line === undefined || !this.move(line)) throw fault;
      return parse();
    }
  }

  /** Moves the line, and those like it below. False where it is none to be moved, or too much would be. */
  private move(from: number): boolean {
    const shallow = shallowLines(this.text).filter(({ line }) => line >= from);
    const added = shallow.reduce((sum, { lacks }) => sum + lacks, 0);
    if (shallow[0]?.line !== from || added > this.text.length + SPARE_BLANKS) return false;
    const lines = this.text.split('\n');
    for (const { line, lacks } of shallow) {
      lines[line] = ' '.repeat(lacks) + (lines[line] ?? '');
      this.moved.push(line);
    }
    this.text = lines.join('\n');
    return true;
  }
}
