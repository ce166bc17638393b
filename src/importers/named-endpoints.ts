import type { ImportedEndpoint } from './imported.js';
import { byCodePoint } from '../documents/json.js';
import { UnreadableDocument } from '../documents/findings.js';
import type { DocumentLimits } from '../documents/limits.js';
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

/** @throws UnreadableDocument `document_too_large` */
export function refuseTooMany(operations: number, limits: DocumentLimits, pointer: string): void {
  if (operations <= limits.operations) return;
  throw new UnreadableDocument(
    'document_too_large',
    `The document has ${String(operations)} operations; at most ${String(limits.operations)} can be imported. Split it into several.`,
    pointer,
  );
}
