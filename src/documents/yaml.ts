import { CORE_SCHEMA, dump, load, mergeTag, YAMLException } from 'js-yaml';
import { lineAndColumn } from '../platform/validation/faults.js';
import { cleanDocument } from './clean-document.js';
import { UnreadableDocument, WarningLog } from './findings.js';
import type { Json } from './json.js';
import { checkSeparators, smallTextLimits, type DocumentLimits } from './limits.js';
import { nodesOf } from './yaml-nodes.js';

/** Core types of YAML 1.2, and the merge key (`<<`) that descriptions still use; every other tag is refused. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Handlers of faults that can be tolerated; a fault without a handler is refused. */
export interface YamlFaults {
  /** Receives the RFC 6901 pointer of each duplicate key: the last one counts. */
  readonly onDuplicate: (pointer: string) => void;
  /** Receives the number of the first line that closes a flow collection without being indented deeper than its key, and how many there are. */
  readonly onShallowClosers?: (line: number, count: number) => void;
}

/**
 * Parses YAML text of one document. What aliases repeat is not copied, so a bomb of them costs nothing until somebody
 * walks through it.
 *
 * @throws UnreadableDocument with line and column
 */
export function readYaml(text: string, limits: DocumentLimits, faults?: YamlFaults): unknown {
  checkSeparators(text, limits.nodes, true);
  const options = { schema, maxDepth: limits.depth, maxAliases: 20_000, maxTotalMergeKeys: 100_000 };
  const lines = new CloserLines(text);
  const parse = (json: boolean): unknown =>
    lines.mending(faults?.onShallowClosers !== undefined, () => load(lines.text, { ...options, json }));
  try {
    const value = parseOver(parse, lines, limits, faults);
    const [first] = lines.moved;
    if (first !== undefined) faults?.onShallowClosers?.(first + 1, lines.moved.size);
    return value;
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
  lines: CloserLines,
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

/** A line that only closes lists and mappings of flow style, indented by spaces. */
const closer = /^ *[\]}][\]}, ]*(#.*)?\r?$/;
/** A line that opens a block scalar: lines indented deeper are its text, and their brackets close nothing. */
const scalarHeader = /(^|\s)[|>][-+\d]{0,2}\s*(#.*)?\r?$/;
/** Times that a text is repaired and parsed again. */
const MAX_MENDS = 5;

/**
 * A text whose lines that close flow collections are moved one column in where the parser refuses them: YAML asks for
 * that much, and much that is published closes at the indentation of the key. Columns mean nothing else there.
 */
class CloserLines {
  private lines: string[] = [];
  /** Numbers of the lines that were moved, from 0; the first was refused. */
  readonly moved = new Set<number>();

  constructor(public text: string) {}

  /** Parses the text, anew with lines moved where that may help. */
  mending(mayMove: boolean, parse: () => unknown): unknown {
    for (let mends = 0; ; mends++) {
      try {
        return parse();
      } catch (fault) {
        const isShallow = fault instanceof YAMLException && fault.reason === 'deficient indentation';
        const line = isShallow && mayMove && mends < MAX_MENDS ? fault.mark?.line : undefined;
        if (line === undefined || !this.move(line)) throw fault;
      }
    }
  }

  /** Moves the line, and those like it below. False where it closes nothing, or was moved before. */
  private move(from: number): boolean {
    if (this.moved.size === 0) this.lines = this.text.split('\n');
    if (!closer.test(this.lines[from] ?? '') || this.moved.has(from)) return false;
    let scalar = -1;
    for (const [at, line] of this.lines.entries()) {
      const indent = line.length - line.trimStart().length;
      const inScalar = scalar >= 0 && (line.trim() === '' || indent > scalar);
      if (!inScalar) scalar = scalarHeader.test(line) ? indent : -1;
      if (at < from || this.moved.has(at) || (at > from && inScalar) || !closer.test(line)) continue;
      this.lines[at] = ` ${line}`;
      this.moved.add(at);
    }
    this.text = this.lines.join('\n');
    return true;
  }
}
