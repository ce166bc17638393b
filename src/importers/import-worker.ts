import { UnreadableDocument } from '../documents/findings.js';
import { MESSAGE_LENGTH, type WorkerAnswer, type WorkerRequest } from './import-worker.messages.js';
import { lengthOf, messagesOf } from './offer-message.js';
import { readImport, type ReadResult, type ReadTask } from './read-import.worker.js';

/**
 * The worker's end, a process of its own: one task at a time, the answer in parts, each sent when the pool is ready for
 * it. It ends with its parent, and leaves the signals of a terminal to it.
 */
function serve(): void {
  let proceed: () => void = () => undefined;
  let task: Omit<ReadTask, 'body'> | undefined;
  let isText = false;
  let body: Uint8Array[] = [];
  const answer = async (): Promise<void> => {
    const bytes = Buffer.concat(body);
    body = [];
    const read = { ...(task as Omit<ReadTask, 'body'>), body: isText ? bytes.toString() : bytes };
    try {
      for (const part of partsOf(await readImport(read))) {
        await new Promise<void>((resolve) => {
          proceed = resolve;
          send(part);
        });
      }
      send({ part: 'done' });
    } catch (fault) {
      send(failure(fault));
    }
  };
  process.on('message', (request: WorkerRequest) => {
    if (request.part === 'task') ({ task, isText } = request);
    else if (request.part === 'body') body.push(request.bytes);
    else if (request.part === 'continue') proceed();
    else void answer();
  });
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

function send(part: WorkerAnswer): void {
  process.send?.(part);
}

/** Bytes of the fields beside a document: more of them would be a load on the main thread. */
const LONGEST_ENVELOPE = 256 * 1024;

/** Without end where the value is nested so deeply that nothing can walk it. */
function jsonLength(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

function* partsOf({ document, ...rest }: ReadResult): Generator<WorkerAnswer> {
  if (jsonLength(rest.envelope) > LONGEST_ENVELOPE) {
    throw new UnreadableDocument(
      'invalid_body',
      `What stands beside the document in the body is longer than ${String(LONGEST_ENVELOPE / 1024)} KiB, or too deeply nested. Leave out what does not belong there.`,
    );
  }
  if (!document) {
    yield { part: 'head', ...rest };
    return;
  }
  const { offers, spec, enrichment, ...head } = document;
  yield { part: 'head', ...rest, document: head };
  for (let start = 0; start < spec.length; start += MESSAGE_LENGTH) {
    yield { part: 'spec', text: spec.slice(start, start + MESSAGE_LENGTH) };
  }
  const { schemas, messages } = messagesOf(offers);
  for (const texts of batchesOf(schemas, ({ length }) => length)) yield { part: 'schemas', texts };
  for (const batch of batchesOf(messages, lengthOf)) yield { part: 'offers', offers: batch };
  if (enrichment === undefined) return;
  const { operations, ...words } = enrichment;
  yield { part: 'enrichment', json: JSON.stringify(words) };
  const texts = operations.map((operation) => JSON.stringify(operation));
  for (const batch of batchesOf(texts, ({ length }) => length)) {
    yield { part: 'operations', json: `[${batch.join(',')}]` };
  }
}

/** Each short enough for a message, but for single ones. */
function* batchesOf<Item>(items: readonly Item[], lengthOfItem: (item: Item) => number): Generator<Item[]> {
  let batch: Item[] = [];
  let length = 0;
  for (const item of items) {
    const more = lengthOfItem(item);
    if (length > 0 && length + more > MESSAGE_LENGTH) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(item);
    length += more;
  }
  if (batch.length > 0) yield batch;
}

function failure(fault: unknown): WorkerAnswer {
  if (fault instanceof UnreadableDocument) {
    const { code, detail, pointer } = fault;
    return { part: 'failed', code, detail, pointer };
  }
  return { part: 'failed', detail: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) };
}

serve();
