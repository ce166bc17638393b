import { printParseErrorCode, visit, type ParseError } from 'jsonc-parser';
import { importLimits } from '../import-limits.js';
import { UnreadableDocument } from '../imported.js';
import { checkSeparators } from '../text-limits.js';
import { duplicateMembers } from './duplicate-members.js';

/**
 * Parses JSON text. Of members that stand twice in one object the last one counts.
 *
 * @param onDuplicate is given the RFC 6901 pointers of the others
 * @throws UnreadableDocument `malformed_json` with line and column; `document_too_large`
 */
export function readJson(
  text: string,
  maxNodes = importLimits.nodes,
  onDuplicate?: (pointer: string) => void,
): unknown {
  checkSeparators(text, maxNodes);
  const value = parse(text);
  if (onDuplicate !== undefined) for (const pointer of duplicateMembers(text, value)) onDuplicate(pointer);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (fault) {
    throw explain(text, fault as Error);
  }
}

/** The engine's message names a place only sometimes; a tolerant parser finds it where it does not. */
function explain(text: string, fault: Error): UnreadableDocument {
  const named = /at position (\d+)/.exec(fault.message)?.[1];
  const place = named === undefined ? firstFault(text) : { offset: Number(named), what: '' };
  const { line, column } = lineAndColumn(text, place.offset);
  const what =
    place.what || fault.message.replace(/ in JSON at position.*$/, '').replace(/ at position.*$/, '');
  return new UnreadableDocument(
    'malformed_json',
    `This is no JSON: ${what} at line ${String(line)}, column ${String(column)}. Mend the text there and send it again.`,
  );
}

function firstFault(text: string): { offset: number; what: string } {
  let found: { offset: number; what: string } | undefined;
  const onError = (error: ParseError['error'], offset: number) => {
    found ??= { offset, what: describe(printParseErrorCode(error)) };
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch {
    // Nested too deep for it: the place stays unknown.
  }
  return found ?? { offset: text.length, what: 'unexpected end' };
}

/** `PropertyNameExpected` becomes `property name expected`. */
function describe(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
