import type { ImportLimits } from '../import-limits.js';
import { UnreadableDocument, type Json } from '../imported.js';
import { below } from '../json-reading.js';
import type { ReadSource, SourceHints } from '../source.js';
import type { WarningLog, WarningSink } from '../warning-log.js';
import { bundle } from './bundle.js';
import { mainFile } from './main-file.js';
import type { Upload } from './uploaded-files.js';

/** Reads one text of an upload, as if it had been sent alone. */
export type FileReader = (content: string, warnings: WarningSink) => Promise<ReadSource>;

/**
 * Reads several files to one document: those of JSON and YAML bundled into the one that is the description, those of
 * .proto or GraphQL side by side. What refers out of the upload is not followed.
 */
export async function readUpload(
  { files, main }: Upload,
  { format }: SourceHints,
  read: FileReader,
  { limits, warnings }: { readonly limits: ImportLimits; readonly warnings: WarningLog },
): Promise<ReadSource> {
  const sources = new Map<string, ReadSource>();
  for (const [path, content] of files) {
    const source = await readFile(path, content, { read, warnings, isMain: path === main });
    if (source !== undefined) sources.set(path, source);
  }
  const texts = [...sources].filter(([, { value }]) => typeof value === 'string');
  const documents = new Map(
    [...sources].flatMap(([path, { value }]): [string, Json][] =>
      typeof value === 'string' ? [] : [[path, value]],
    ),
  );
  const asTexts = texts.length > 0 && (documents.size === 0 || format === 'grpc' || format === 'graphql');
  if (asTexts) {
    const parts = texts.map(([path, { text }]) => ({ path, text }));
    return { text: stored(sources), value: parts.map(({ text }) => text).join('\n'), parts };
  }
  const chosen = mainFile(documents, main, format);
  const text = stored(sources, chosen);
  if (text.length > 2 * limits.bytes)
    throw new UnreadableDocument('document_too_large', 'The files are too large together.');
  return { text, value: bundle(chosen, documents) };
}

/** One file that can't be read costs the others nothing, unless it is the description. */
async function readFile(
  path: string,
  content: string,
  {
    read,
    warnings,
    isMain,
  }: { readonly read: FileReader; readonly warnings: WarningLog; readonly isMain: boolean },
): Promise<ReadSource | undefined> {
  try {
    return await read(content, warnings.within(below('', 'files', path)));
  } catch (fault) {
    if (!(fault instanceof UnreadableDocument)) throw fault;
    if (isMain)
      throw new UnreadableDocument(fault.code, `${path}: ${fault.detail}`, below('', 'files', path));
    warnings.warn('file_skipped', below('', 'files', path), `${path} was left out: ${fault.detail}`);
    return undefined;
  }
}

/** As it is kept, and read again by a resync. */
function stored(sources: ReadonlyMap<string, ReadSource>, main?: string): string {
  const files = Object.fromEntries([...sources].map(([path, { text }]) => [path, text]));
  return JSON.stringify({ ...(main !== undefined && { main }), files });
}
