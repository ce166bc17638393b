import type { OfferMessage } from './offer-message.js';
import type { ReadDocument, ReadResult, ReadTask } from './read-import.worker.js';

/** What the pool sends: a task without its body, the body in parts, and leave to send the next part of an answer. */
export type WorkerRequest =
  | { readonly part: 'task'; readonly task: Omit<ReadTask, 'body'>; readonly isText: boolean }
  | { readonly part: 'body'; readonly bytes: Uint8Array }
  | { readonly part: 'answer' }
  /** The pool had time for other work. */
  | { readonly part: 'continue' };

/** A worker's answer to a task, in parts: `head`, the others as often as needed, `done`; or `failed`. */
export type WorkerAnswer =
  | ({
      readonly part: 'head';
      readonly document?: Omit<ReadDocument, 'offers' | 'spec' | 'enrichment'>;
    } & Omit<ReadResult, 'document'>)
  | { readonly part: 'spec'; readonly text: string }
  /** Texts of some of the schemas that the offers name, in order. */
  | { readonly part: 'schemas'; readonly texts: readonly string[] }
  /** Some of the document's offers, in order. */
  | { readonly part: 'offers'; readonly offers: readonly OfferMessage[] }
  /** JSON text of what it says of the whole API, and then of some of its operations. */
  | { readonly part: 'enrichment' | 'operations'; readonly json: string }
  | { readonly part: 'done' }
  /** `code` where the body is at fault, with the place; without it the service is. */
  | { readonly part: 'failed'; readonly detail: string; readonly code?: string; readonly pointer?: string };

/** Bytes or characters in one message: what the main thread takes in within some ten milliseconds. */
export const MESSAGE_LENGTH = 1_000_000;
