import type { Outcome } from '../../eventsourcing/command.js';
import { keptAnswerOf, type Receipt } from '../use-cases/use-case.js';
import type { Reply } from '../idempotency/kept-replies.js';
import type { Write } from '../use-cases/write-command.js';

type Extra = (outcome: Outcome) => object;

/**
 * Answers a write on one aggregate, the first command's: `{id, version, position, changed, …more}` with
 * `ETag: "<version>"`, and `Location` where a path is given. `changed` is about the whole write.
 */
export function receipt(
  status: Reply['status'],
  more: Extra = () => ({}),
  location?: (outcome: Outcome) => string,
): Write['reply'] {
  return (outcomes, position) => {
    const [first] = outcomes;
    if (first === undefined) throw new Error('A receipt needs the outcome of at least one command.');
    const changed = outcomes.some((outcome) => outcome.changed);
    const body = {
      id: first.id,
      version: first.version,
      position: changed ? position : first.position,
      changed,
      ...more(first),
    };
    const headers = { etag: versionTag(first.version), ...(location && { location: location(first) }) };
    return { status, headers, body: JSON.stringify(body) };
  };
}

/** Answers a batch: `{items: [{id, version, position, changed, …more}], position, …besides}`, the last position of all. */
export function receipts(
  status: Reply['status'],
  more: Extra = () => ({}),
  besides: object = {},
): Write['reply'] {
  return (outcomes, position) => {
    const items = outcomes.map((outcome) => ({
      id: outcome.id,
      version: outcome.version,
      position: outcome.position,
      changed: outcome.changed,
      ...more(outcome),
    }));
    return { status, headers: {}, body: JSON.stringify({ items, position, ...besides }) };
  };
}

/** Answers with the receipt of a use case: 201 where the record is new, with its version as `ETag`; a kept answer as it was. */
export function receiptReply(result: Receipt, location?: string): Reply {
  const { created, ...receipt } = result;
  return (
    keptAnswerOf(result) ?? {
      status: created ? 201 : 200,
      headers: { etag: versionTag(receipt.version), ...(location !== undefined && { location }) },
      body: JSON.stringify(receipt),
    }
  );
}

/** Answers with the result of a use case as it is: of several records, or of none. */
export function resultReply(result: object): Reply {
  return keptAnswerOf(result) ?? { status: 200, headers: {}, body: JSON.stringify(result) };
}

/** The entity tag of an aggregate's version: `"7"`. */
export function versionTag(version: number): string {
  return `"${String(version)}"`;
}

/** What a controller hands back from the command bus, told apart from a plain answer. */
export function isReply(answer: unknown): answer is Reply {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    Object.keys(answer).sort().join() === 'body,headers,status' &&
    typeof Reflect.get(answer, 'body') === 'string'
  );
}

/** Answers a read of one record, with the `ETag: "<version>"` that a write of it takes as `If-Match`. */
export function recordAnswer(record: { readonly aggregateVersion: number }): Reply {
  return {
    status: 200,
    headers: { etag: versionTag(record.aggregateVersion) },
    body: JSON.stringify(record),
  };
}
