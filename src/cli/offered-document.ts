import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CatalogClient } from './catalog-client.js';
import { CliFault, exitCodes, parsedAnswer } from './output.js';

/** Options that say where a document belongs. */
export interface Destination {
  readonly api?: string;
  readonly name?: string;
  readonly version?: string;
  readonly service?: string;
  readonly env?: string;
}

/** Makes the members of the request. Throws CliFault with `how` where options are missing. */
export function destinationOf(client: CatalogClient, options: Destination, how: string): object {
  const serviceId = options.service ?? client.claims.serviceId;
  if (options.api === undefined || serviceId === undefined) throw new CliFault(exitCodes.usage, how);
  const api = { apiId: options.api, ...(options.name === undefined ? {} : { apiName: options.name }) };
  const version = {
    ...(options.version === undefined ? {} : { apiVersion: options.version }),
    serviceId,
    ...(options.env === undefined ? {} : { envTag: options.env }),
  };
  return { api, version };
}

const archives = /\.(zip|tar|tgz|tar\.gz)$/i;
const readable = /\.(json|ya?ml|proto|graphqls?|gql)$/i;

const isAddress = /^https?:\/\//i;

/** Reads a document: a folder as its files, an archive as it is; of an address what the service fetches there. */
export async function documentOf(client: CatalogClient, file: string): Promise<string | object> {
  if (isAddress.test(file)) {
    const { document } = parsedAnswer(await client.request('POST', '/imports/fetch', { url: file })) as {
      readonly document: string;
    };
    return document;
  }
  return documentAt(file);
}

/** Reads a document that lies here. Throws CliFault where it can't be read. */
export async function documentAt(file: string): Promise<string | object> {
  try {
    if (file !== '-' && (await stat(file)).isDirectory()) return { files: await filesIn(file) };
    const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
    if (archives.test(file)) return { archive: bytes.toString('base64') };
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(exitCodes.usage, `${file} can't be read: ${reason}`);
  }
}

/** Reads the descriptions in a folder by path, without hidden folders and dependencies. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: [string, string][] = [];
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (!entry.isFile() || !readable.test(path) || /(^|\/)(\.|node_modules\/)/.test(path)) continue;
    files.push([path, await readFile(join(folder, path), 'utf8')]);
  }
  return Object.fromEntries(files);
}
