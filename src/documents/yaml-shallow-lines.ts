/** Where a flow collection or a quoted text is open: what it needs, and how it ends. */
interface Opened {
  /** Lists and mappings in flow style that are open. */
  depth: number;
  /** The quote that is open, or none. */
  quote: '"' | "'" | '';
  /** Whether a text without quotes is open within it, in which quotes mean nothing. */
  isPlain: boolean;
  /** Columns that YAML wants before each further line. */
  readonly wanted: number;
}

/** A line within a list or mapping in flow style, or a quoted text, that is no further in than its key. */
export interface ShallowLine {
  /** From 0. */
  readonly line: number;
  /** Blanks that it lacks. Columns mean nothing there, so they change no value. */
  readonly lacks: number;
}

const blank = /^[ \t\r]*$/;
/** Marks of lists and of keys that stand before what a line says. */
const marks = /^ *(?:[-?](?:[ \t\r]+|$))*/;
/** A key without quotes, and the colon after it. */
const plainKey = /^[^\s#"'[\]{}|>@`%&*!,][^\r]*?:(?=[ \t\r]|$)/;
/** An anchor and a tag before a value. */
const properties = /^(?:[&!]\S*(?:\s+|$)){0,2}/;
/** The edge of a document, or a directive. */
const edge = /^(?:---|\.\.\.|%)/;
const scalarHeader = /^[|>][-+\d]{0,2}[ \t]*(?:#.*)?\r?$/;

/** Finds the shallow lines of a text, in one walk over it. It looks at indentation, quotes and brackets alone. */
export function shallowLines(text: string): readonly ShallowLine[] {
  const found: ShallowLine[] = [];
  let opened: Opened | undefined;
  /** Column of the key whose text goes on in lines further in: a block scalar, or a plain text. */
  let textOf = -1;
  for (const [at, line] of text.split('\n').entries()) {
    if (blank.test(line)) continue;
    const indent = line.length - line.replace(/^ +/, '').length;
    if (opened !== undefined) {
      if (indent < opened.wanted) found.push({ line: at, lacks: opened.wanted - indent });
      if (walk(line, indent, opened) < line.length) opened = undefined;
      continue;
    }
    if (indent > textOf && textOf >= 0) continue;
    const begun = begin(line, indent);
    textOf = begun.textOf;
    opened = begun.opened;
  }
  return found;
}

/** Reads a line outside of any flow collection: what is still open at its end. */
function begin(line: string, indent: number): { readonly textOf: number; readonly opened?: Opened } {
  const none = { textOf: -1 };
  const before = marks.exec(line)?.[0] ?? '';
  const start = before.length;
  let column = start > indent ? before.search(/[-?]\s*$/) : indent;
  let rest = line.slice(start);
  const key = keyOf(rest);
  if (key > 0) {
    column = start;
    rest = rest.slice(key).trimStart();
  }
  rest = rest.replace(properties, '');
  if (rest.trim() === '' || rest.startsWith('#') || edge.test(line)) return none;
  if (scalarHeader.test(rest)) return { textOf: column };
  const first = rest.charAt(0);
  if (!'[{"\''.includes(first)) return { textOf: / #/.test(rest) ? -1 : column };
  const opened: Opened = { depth: 0, quote: '', isPlain: false, wanted: column + 1 };
  return walk(rest, 0, opened) < rest.length ? none : stillOpen(opened);
}

function stillOpen(opened: Opened): { readonly textOf: number; readonly opened?: Opened } {
  return opened.depth > 0 || opened.quote !== '' ? { textOf: -1, opened } : { textOf: -1 };
}

/** Length of the key at the start of a line, its colon included; 0 where there is none. */
function keyOf(rest: string): number {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*:(?=[ \t\r]|$)/.exec(rest);
  const found = quoted ?? plainKey.exec(rest);
  return found !== null && !/ #/.test(found[0]) ? found[0].length : 0;
}

/** Walks through a line of what is open. Gives the place after its end, or the line's length where it is open still. */
function walk(line: string, from: number, opened: Opened): number {
  for (let at = from; at < line.length; at++) {
    const sign = line.charAt(at);
    if (opened.quote !== '') at += passQuoted(line, at, opened);
    else if (sign === '#' && (at === 0 || /\s/.test(line.charAt(at - 1)))) return line.length;
    else if ((sign === '"' || sign === "'") && !opened.isPlain) opened.quote = sign;
    else if ('[]{},'.includes(sign)) {
      opened.isPlain = false;
      opened.depth += '[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0;
    } else if (sign === ':') opened.isPlain &&= !/^$|[\s,[\]{}]/.test(line.charAt(at + 1));
    else if (!/\s/.test(sign)) opened.isPlain = true;
    if (opened.depth <= 0 && opened.quote === '') return at;
  }
  return line.length;
}

/** Passes a character within quotes, or closes them. Gives how many more belong to it. */
function passQuoted(line: string, at: number, opened: Opened): number {
  const sign = line.charAt(at);
  if (opened.quote === '"' && sign === '\\') return 1;
  if (sign !== opened.quote) return 0;
  if (sign === "'" && line.charAt(at + 1) === "'") return 1;
  opened.quote = '';
  return 0;
}
