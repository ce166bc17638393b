import { cleanDocument } from './clean-document.js';
import { UnreadableDocument, WarningLog } from './findings.js';
import type { Json } from './json.js';
import { frontmatterLimits, type DocumentLimits } from './limits.js';
import { readYaml } from './yaml.js';

/** Reads YAML, and JSON with it, into plain JSON. @throws UnreadableDocument with line and column */
export function readTree(text: string, limits: DocumentLimits): Json {
  if (Buffer.byteLength(text) > limits.bytes) {
    const detail = `The text is longer than ${String(limits.bytes / 1024)} KiB. Shorten it.`;
    throw new UnreadableDocument('document_too_large', detail);
  }
  return cleanDocument(readYaml(text, limits, { onDuplicate: () => undefined }), limits, new WarningLog());
}

/** What stands between the fences of a SKILL.md. */
interface Frontmatter {
  readonly value: Json;
  /** Keys whose values are no YAML, and were read as the texts that they are. */
  readonly quoted: readonly string[];
}

/**
 * Reads frontmatter as Claude Code does: where it is no YAML, values of one key that are none are read as texts
 * (`argument-hint: [action] — e.g. "list"`, `description: Use when: …`). A name is never read so.
 *
 * @throws UnreadableDocument with the line in the whole file, the key, and the quotes to add
 */
export function readFrontmatter(yaml: string): Frontmatter {
  // The fence is the first line of the file.
  const text = `\n${yaml}`;
  try {
    return { value: readTree(text, frontmatterLimits), quoted: [] };
  } catch (fault) {
    if (!(fault instanceof UnreadableDocument) || fault.code !== 'malformed_yaml') throw fault;
    const mended = withQuotes(text);
    const value = mended.quoted.length > 0 ? attempt(mended.text) : undefined;
    if (value === undefined) throw withHint(fault, text);
    return { value, quoted: mended.quoted };
  }
}

function attempt(text: string): Json | undefined {
  try {
    return readTree(text, frontmatterLimits);
  } catch (fault) {
    if (fault instanceof UnreadableDocument) return undefined;
    throw fault;
  }
}

/** A key at the left, with a value on its line. */
const keyed = /^([A-Za-z_][\w-]*):[ \t]+(\S.*?)[ \t]*\r?$/;
/** A key with a value on its line, wherever it stands: in `metadata`, or first in an item of a list. */
const keyedWithin = /^[ \t]*(?:-[ \t]+)*([A-Za-z_][\w-]*):[ \t]+(\S.*?)[ \t]*\r?$/;
/** The head of a text over several lines. */
const block = /^[|>][-+\d]*(?:[ \t]+#.*)?$/;

/** Puts values in quotes that are no YAML by themselves; those over several lines become one, and the lines stay as many. */
function withQuotes(text: string): { readonly text: string; readonly quoted: readonly string[] } {
  const lines = text.split('\n');
  const quoted: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, key = '', first = ''] = keyed.exec(lines[at] ?? '') ?? [];
    if (key === '' || key === 'name' || block.test(first)) continue;
    let end = at + 1;
    while (/^[ \t]+\S/.test(lines[end] ?? '')) end++;
    const more = lines.slice(at + 1, end);
    if (!isBroken([first, ...more].join('\n'))) continue;
    const value = [first, ...more.map((line) => line.trim())].join(' ');
    lines.splice(at, end - at, `${key}: ${JSON.stringify(value)}`, ...more.map(() => ''));
    quoted.push(key);
  }
  return { text: lines.join('\n'), quoted };
}

/** Whether a value is no YAML, or is cut off by a comment within it. */
function isBroken(value: string): boolean {
  const read = attempt(`key: ${value}`);
  return read === undefined || (/[ \t]#/.test(value) && !/^["'[{]/.test(value));
}

/** Says which key is at fault, and how its value is written in quotes. */
function withHint(fault: UnreadableDocument, text: string): UnreadableDocument {
  const line = Number(/ at line (\d+),/.exec(fault.detail)?.[1] ?? 0);
  const found = text
    .split('\n')
    .slice(0, line)
    .map((each) => keyedWithin.exec(each))
    .findLast((match) => match !== null);
  if (found == null) return fault;
  const [, key = '', value = ''] = found;
  const hint = `Put the value of "${key}" in quotes if it is a text: ${key}: ${JSON.stringify(value.slice(0, 200))}`;
  return new UnreadableDocument(fault.code, `${fault.detail} ${hint}`);
}
