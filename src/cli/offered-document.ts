import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CatalogClient } from './catalog-client.js';
import { CliFault, exitCodes } from './output.js';

/** Where a document belongs, as options say it. */
export interface Destination {
  readonly api?: string;
  readonly name?: string;
  readonly version?: string;
  readonly service?: string;
  readonly env?: string;
}

/** The same as the service takes it; throws CliFault where too little is said, `how` says what. */
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

/** What is sent of a document: a folder goes as its files, an archive as it is. */
export async function documentOf(file: string): Promise<string | object> {
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

/** Descriptions below a folder, by their paths in it; hidden folders and dependencies are passed over. */
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
