import type { Server } from './server.js';

interface Answer {
  readonly digest?: string;
  readonly items?: readonly { readonly state: string; readonly digest: string }[];
}

/**
 * What somebody sends who has just read what they approve: with the digest of the version, or of the one that waits where the tool’s
 * changes are accepted.
 *
 * @param path that is posted to: `…/approve` or `…/changes/accept`
 */
export async function asRead(server: Pick<Server, 'api'>, path: string, said: object = {}): Promise<object> {
  const one = path.replace(/\/approve$/, '').replace(/\/changes\/accept$/, '/versions');
  const { body } = await server.api<Answer>('GET', one);
  const digest = body.digest ?? body.items?.find(({ state }) => state === 'in_review')?.digest;
  return { ...(digest !== undefined && { digest }), ...said };
}
