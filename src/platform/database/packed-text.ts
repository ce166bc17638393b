import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/**
 * A text of megabytes as events and columns keep it: gzip, as base64. Descriptions of APIs come down to a tenth,
 * which the log, its digests, every replay and the host's lock feel.
 */
export async function packText(text: string): Promise<string> {
  return (await promisify(gzip)(Buffer.from(text))).toString('base64');
}

export async function unpackText(packed: string): Promise<string> {
  return (await promisify(gunzip)(Buffer.from(packed, 'base64'))).toString();
}
