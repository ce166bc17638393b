import { posix } from 'node:path';
import { Pace } from '../kernel/pace.js';
import type { WarningSink } from './findings.js';
import { below } from './json.js';

/** A text of a skill's folder that is read as Markdown. */
export interface LinkingText {
  /** In the folder. */
  readonly path: string;
  readonly text: string;
}

/** Characters of a line that are looked at, and links that are looked up: what is longer is no page that people wrote. */
const [MAX_LINE, MAX_LINKS] = [8_192, 10_000];

/**
 * Warns of links that agents can't follow: those that lead out of the folder (`link_outside`), and those to a file that is not there
 * (`link_broken`), each with the line of the file. Code is no link, and what begins with a scheme or `#` leads elsewhere.
 *
 * @param paths of all files of the folder
 */
export async function warnOfLinks(
  texts: readonly LinkingText[],
  paths: ReadonlySet<string>,
  warnings: WarningSink,
): Promise<void> {
  const folders = new Set([...paths].flatMap(foldersAbove));
  const spelled = new Map([...paths].map((path) => [path.toLowerCase(), path]));
  const pace = new Pace();
  let count = 0;
  for (const { path, text } of texts) {
    await pace.step();
    for (const { line, target } of linksIn(text)) {
      if ((count += 1) > MAX_LINKS) return;
      const place = placeOf(path, target);
      if (place === undefined || paths.has(place) || folders.has(place)) continue;
      const from = `${path}, line ${String(line)}: the link to ${target.slice(0, 200)}`;
      const pointer = `${below('', path)}/${String(line)}/${below('', target).slice(1)}`;
      if (place.startsWith('..') || place.startsWith('/')) {
        const detail = `${from} leads out of the folder, which is all that agents are given. Put the file into the folder.`;
        warnings.warn('link_outside', pointer, detail);
        continue;
      }
      const other = spelled.get(place.toLowerCase());
      const meant = other === undefined ? '' : ` There is ${other}, which is spelled in other letters.`;
      const detail = `${from} leads to nothing: ${place} is not in the folder.${meant}`;
      warnings.warn('link_broken', pointer, detail);
    }
  }
}

function foldersAbove(path: string): string[] {
  const steps = path.split('/').slice(0, -1);
  return ['.', ...steps.map((_, at) => steps.slice(0, at + 1).join('/'))];
}

/** Where in the folder a link leads; undefined where it leads into the web, or within its page. */
function placeOf(path: string, target: string): string | undefined {
  if (/^(?:#|\?|\/\/|$)/.test(target)) return undefined;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(target)?.[1]?.toLowerCase();
  // One letter is a disk of Windows.
  if (scheme === 'file' || scheme?.length === 1) return '..';
  if (scheme !== undefined) return undefined;
  const plain = decoded(target.replace(/[?#].*$/s, ''));
  if (plain.startsWith('/') || plain.startsWith('~/')) return '..';
  return posix.normalize(posix.join(posix.dirname(path), plain)).replace(/(?<=.)\/$/, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const fence = /^[ \t>]{0,100}(?:[-*+] +)?(`{3,}|~{3,})/;
/** Code within a line. */
const code = /(?<!`)(`+)(?!`)[^`]+\1/g;
const inline = /\]\([ \t]{0,10}(?:<([^<>]*)>|((?:[^\s()<>]|\([^\s()]*\))+))/g;
const attribute = /<(?:a|img|source|video)\b[^<>]{0,500}?\b(?:href|src)[ \t]*=[ \t]*["']([^"'<>]+)["']/gi;
/** `[name]: target`, but for notes. */
const definition = /^ {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]*(?:<([^<>]*)>|(\S+))/;

/** Finds links line by line, in time proportional to the text. */
function* linksIn(text: string): Generator<{ readonly line: number; readonly target: string }> {
  let open: string | undefined;
  for (const [at, whole] of text.split('\n').entries()) {
    const mark = fence.exec(whole)?.[1];
    if (open !== undefined) {
      if (mark?.startsWith(open)) open = undefined;
      continue;
    }
    if (mark !== undefined) {
      open = mark;
      continue;
    }
    if (!/[(:=]/.test(whole)) continue;
    const shown = whole.slice(0, MAX_LINE).replaceAll(code, ' ');
    const line = at + 1;
    for (const [, bracketed, plain = ''] of shown.matchAll(inline))
      yield { line, target: bracketed ?? plain };
    for (const [, target = ''] of shown.matchAll(attribute)) yield { line, target };
    const [, bracketed, plain] = definition.exec(shown) ?? [];
    const target = bracketed ?? plain;
    if (target !== undefined) yield { line, target };
  }
}
