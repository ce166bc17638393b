import type { Reply } from '../idempotency/kept-replies.js';
import { keptReplyOf, type Receipt } from '../use-cases/use-case.js';
import type { OperationSpec } from './operation.js';

/** Answers with the receipt of a use case, its version as `ETag`, and the status that the operation says; a kept answer as it was. */
export function receiptReply(
  result: Receipt,
  { status, creates }: Pick<OperationSpec, 'status' | 'creates'>,
  location?: string,
): Reply {
  const { created, ...receipt } = result;
  return (
    keptReplyOf(result) ?? {
      status: status ?? (creates && created ? 201 : 200),
      headers: { etag: versionTag(receipt.version), ...(location !== undefined && { location }) },
      body: JSON.stringify(receipt),
    }
  );
}

/** Answers with the result of a use case as it is: of several records, or of none. */
export function resultReply(result: object): Reply {
  return keptReplyOf(result) ?? { status: 200, headers: {}, body: JSON.stringify(result) };
}

/** The entity tag of an aggregate's version: `"7"`. */
export function versionTag(version: number): string {
  return `"${String(version)}"`;
}

/** Whether a controller's result is a Reply rather than a plain answer. */
export function isReply(answer: unknown): answer is Reply {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    // First, since the keys of a large Buffer are all of its bytes.
    typeof Reflect.get(answer, 'body') === 'string' &&
    Object.keys(answer).sort().join() === 'body,headers,status'
  );
}
