import { UnreadableDocument } from './imported.js';
import type { ImportLimits } from './import-limits.js';

/** @throws UnreadableDocument `document_too_large` */
export function refuseTooMany(operations: number, limits: ImportLimits, pointer: string): void {
  if (operations <= limits.operations) return;
  throw new UnreadableDocument(
    'document_too_large',
    `The document has ${String(operations)} operations; at most ${String(limits.operations)} can be imported. Split it into several.`,
    pointer,
  );
}
