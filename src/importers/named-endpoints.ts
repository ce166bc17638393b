import type { ImportedEndpoint } from './imported.js';
import { byCodePoint } from './json-reading.js';
import { nameAll, type Nameable } from './naming.js';

/** An operation as read, before it has a name. */
export type UnnamedEndpoint = Omit<ImportedEndpoint, 'name'> & Pick<Nameable, 'toolName'>;

/** The endpoints of a document with their names, ordered by key. No key may stand twice. */
export function namedEndpoints(unnamed: readonly UnnamedEndpoint[]): ImportedEndpoint[] {
  const names = nameAll(unnamed);
  return unnamed
    .map(({ toolName: _, ...endpoint }) => ({ ...endpoint, name: names.get(endpoint.key) ?? '' }))
    .toSorted((a, b) => byCodePoint(a.key, b.key));
}
