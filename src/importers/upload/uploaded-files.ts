import { checkPath, checkSize, malformed } from '../archive/archive-file.js';
import { UnreadableDocument } from '../imported.js';
import type { ImportLimits } from '../import-limits.js';
import { isObject } from '../json-reading.js';

/** What was sent as several files, ordered by path; `main` where the sender says which of them is the description. */
export interface Upload {
  readonly files: ReadonlyMap<string, string>;
  readonly main: string | undefined;
}

export const mostFiles = 10_000;
const READ = /\.(json|ya?ml|proto|graphqls?|gql)$/i;
/** What packers and editors add of their own. */
const NOISE = /(^|\/)(__MACOSX|\.[^/]*|node_modules)(\/|$)/;

/** The files of `{files: {path: text}, main?}`; undefined of anything else. */
export function uploadIn(source: unknown, limits: ImportLimits): Upload | undefined {
  if (!isObject(source)) return undefined;
  const { files, main, ...rest } = source;
  if (!isObject(files) || Object.keys(rest).length > 0) return undefined;
  if (main !== undefined && typeof main !== 'string') return undefined;
  const entries = Object.entries(files).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  if (entries.length === 0 || entries.length < Object.keys(files).length) return undefined;
  return { files: chosen(entries, limits), main };
}

/** Every path is looked at, also of files that are not read: who sends a way out of the folder is refused. */
function chosen(entries: readonly [string, string][], limits: ImportLimits): ReadonlyMap<string, string> {
  for (const [path] of entries) {
    checkPath(path);
    if (path.split('/').includes('__proto__')) throw malformed('a file is called __proto__');
  }
  const files = entries.filter(([path]) => READ.test(path) && !NOISE.test(path));
  const size = files.reduce((sum, [, text]) => sum + text.length, 0);
  checkSize(entries.length, size, { files: mostFiles, bytes: limits.bytes });
  if (files.length > 0) return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
  throw new UnreadableDocument(
    'document_empty',
    'None of the files is a description. Looked for .json, .yaml, .yml, .proto, .graphql, .graphqls and .gql.',
  );
}
