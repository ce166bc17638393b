import type { CatalogClient } from './catalog-client.js';
import { parsedAnswer, understood } from './output.js';

/** Reads all items of a list, page by page. */
export async function pagesOf<Item>(
  client: CatalogClient,
  path: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const query = new URLSearchParams({ ...filter, ...(cursor !== '' && { cursor }) });
    const page: { readonly items: readonly Item[]; readonly nextCursor?: string } = await read(
      client,
      `${path}?${query.toString()}`,
    );
    found.push(...understood(() => [...page.items]));
    cursor = page.nextCursor;
  }
  return found;
}

/** Reads one answer. */
export async function read<Body>(client: CatalogClient, path: string): Promise<Body> {
  return parsedAnswer(await client.request('GET', path)) as Body;
}
