import { Injectable } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import { Invalid } from '../eventsourcing/errors.js';
import type { Caller } from '../platform/auth/caller.js';
import { checkNamed, namedPlaces } from '../platform/auth/named-values.js';
import { jsonValidator } from '../platform/validation/validator.js';
import { ImportCounts } from './import-counts.service.js';
import { ReadDocuments } from './read-documents.service.js';
import type { Fault } from '../documents/findings.js';
import type { ReadDocument, ReadTask, Refusal } from './read-import.worker.js';

/** The words beside a document, checked like any body: claims first, then the schema, all faults at once. */
export type EnvelopeCheck<Words> = (caller: Caller, words: unknown, more: readonly Fault[]) => Words;

/** `Words` is the type of the schema. */
export function envelopeCheck<Words>(schema: JSONSchema): EnvelopeCheck<Words> {
  const validate = jsonValidator(schema);
  const places = namedPlaces(schema);
  return (caller, words, more) => {
    checkNamed(caller, places, words);
    const faults = [...validate(words), ...more];
    if (faults.length > 0) throw new Invalid('invalid_body', 'The body can’t be accepted.', faults);
    return words as Words;
  };
}

/** Reads the bodies of imports off the main thread, and refuses what can't be accepted. */
@Injectable()
export class ImportReading {
  constructor(
    private readonly documents: ReadDocuments,
    private readonly counts: ImportCounts,
  ) {}

  /** The document that was stored; it has been read before. */
  async stored(packed: string, apiType: string): Promise<ReadDocument> {
    return demanded(await this.documents.read({ body: packed, mediaType: '', holds: 'packed', apiType }), '');
  }

  /**
   * A body that holds words, and perhaps a document as the member that the task names. `words` are those that were
   * said elsewhere, in the query; the body's win.
   */
  async envelope<Words>(
    caller: Caller,
    check: EnvelopeCheck<Words>,
    task: ReadTask & { readonly words?: object },
  ): Promise<{ readonly words: Words; readonly document: ReadDocument | undefined }> {
    const { words: said, ...reading } = task;
    const { envelope, document, refusal } = await this.counts.reading(() => this.documents.read(reading));
    const missing = document === undefined && refusal === undefined && task.holds !== 'spec';
    const words = check(caller, { ...said, ...envelope }, missing ? [missingAt(memberOf(task))] : []);
    if (refusal !== undefined) throw refused(refusal, memberOf(task));
    return { words, document };
  }
}

/** The document, which must be there. */
export function demanded(
  { document, refusal }: { readonly document?: ReadDocument | undefined; readonly refusal?: Refusal },
  pointer: string,
): ReadDocument {
  if (document !== undefined) return document;
  if (refusal !== undefined) throw refused(refusal, pointer);
  throw new Invalid('invalid_body', 'A document is required.', [missingAt(pointer)]);
}

const missingAt = (pointer: string): Fault => ({ pointer, detail: 'is missing' });

function refused({ code, detail, faults }: Refusal, member: string): Invalid {
  return new Invalid(
    code,
    detail,
    faults.map((fault) => ({ ...fault, pointer: member + fault.pointer })),
  );
}

const memberOf = ({ holds }: ReadTask): string => (holds === 'spec' ? '/spec' : '/document');
