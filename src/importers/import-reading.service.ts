import { Injectable } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { Fault } from '../documents/findings.js';
import { Invalid } from '../kernel/errors.js';
import { type DescribedApiType, offeredFacts } from '../formats/shared.js';
import { checkNamed, namedPlaces } from '../platform/auth/admission.js';
import type { Caller } from '../platform/auth/caller.js';
import { problemOf } from '../platform/http/problem-details.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { jsonValidator } from '../platform/validation/validator.js';
import { ImportPool } from './import-pool.js';
import { type ReadToolsList, ToolsListReading } from './import.port.js';
import type { ReadDocument, ReadResult, ReadTask, Refusal } from './read-import.worker.js';

/** Most characters kept of read documents, together. */
const REMEMBERED = 32 * 1024 * 1024;

/** Reads documents, and remembers what it read of the last ones by the hash of what was sent. */
@Injectable()
export class ReadDocuments {
  private readonly remembered = new LRUCache<string, ReadResult>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ document }) => 1 + (document?.length ?? 0),
  });

  constructor(private readonly pool: ImportPool) {}

  async read(task: ReadTask, hostId: string): Promise<ReadResult> {
    const { body, ...how } = task;
    const key = createHash('sha256').update(JSON.stringify(how)).update('\n').update(body).digest('hex');
    const result = this.remembered.get(key) ?? (await this.pool.read(task, hostId));
    if (result.document !== undefined) this.remembered.set(key, result);
    // Checks fill defaults in.
    return { ...result, envelope: structuredClone(result.envelope) };
  }
}

/** The outcome of an import. */
interface EndedImport {
  readonly format: DescribedApiType;
  readonly isDryRun: boolean;
  readonly error: unknown;
}

/** Counts imports by the format of their document, and by what became of them. */
@Injectable()
export class ImportCounts {
  private readonly imports;

  constructor(metrics: Metrics) {
    this.imports = metrics.counter(
      'catalog_imports_total',
      'Imports of API descriptions, by format (unread: it could not be read) and outcome: done, dry_run, refused, failed.',
      ['format', 'outcome'],
    );
  }

  /** Counts a document that is refused; an accepted one is counted when it is imported. */
  async reading<Read extends Pick<ReadResult, 'refusal'>>(read: () => Promise<Read>): Promise<Read> {
    try {
      const result = await read();
      if (result.refusal !== undefined) this.imports.inc({ format: 'unread', outcome: 'refused' });
      return result;
    } catch (error) {
      throw this.unfinished('unread', error);
    }
  }

  /** Counts an import by its outcome. */
  ended({ format, isDryRun, error }: EndedImport): void {
    if (error !== undefined) this.unfinished(format, error);
    else this.imports.inc({ format, outcome: isDryRun ? 'dry_run' : 'done' });
  }

  private unfinished(format: DescribedApiType | 'unread', error: unknown): unknown {
    this.imports.inc({ format, outcome: problemOf(error).status < 500 ? 'refused' : 'failed' });
    return error;
  }
}

/** The fields beside a document, checked like any body: claims first, then the schema, all faults at once. */
type EnvelopeCheck<Fields> = (caller: Caller, fields: unknown, more: readonly Fault[]) => Fields;

/** `Fields` is the type of the schema. */
export function envelopeCheck<Fields>(schema: JSONSchema): EnvelopeCheck<Fields> {
  const validate = jsonValidator(schema);
  const places = namedPlaces(schema);
  return (caller, fields, more) => {
    checkNamed(caller, places, fields);
    const faults = [...validate(fields), ...more];
    if (faults.length > 0) throw new Invalid('invalid_body', 'The body can’t be accepted.', faults);
    return fields as Fields;
  };
}

/** Reads the bodies of imports off the main thread, and refuses what can't be accepted. */
@Injectable()
export class ImportReading {
  constructor(
    private readonly documents: ReadDocuments,
    private readonly counts: ImportCounts,
  ) {}

  /** Reads a stored document again. */
  async stored(packed: string, apiType: string, hostId: string): Promise<ReadDocument> {
    const task = { body: packed, mediaType: '', holds: 'packed', apiType } as const;
    return demanded(await this.documents.read(task, hostId), '');
  }

  /**
   * A body that holds fields, and perhaps a document as the member that the task names. `fields` are those that were
   * said elsewhere, in the query; the body's win.
   */
  async envelope<Fields>(
    caller: Caller,
    check: EnvelopeCheck<Fields>,
    task: ReadTask & { readonly fields?: object },
  ): Promise<{ readonly fields: Fields; readonly document: ReadDocument | undefined }> {
    const { fields: said, ...reading } = task;
    const { envelope, document, refusal } = await this.counts.reading(() =>
      this.documents.read(reading, caller.hostId),
    );
    const missing = document === undefined && refusal === undefined && task.holds !== 'spec';
    const fields = check(caller, { ...said, ...envelope }, missing ? [missingAt(memberOf(task))] : []);
    if (refusal !== undefined) throw refused(refusal, memberOf(task));
    return { fields, document };
  }
}

/** Returns the document, or refuses where it is missing. */
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

/** Reads the tools of MCP servers in the same workers as documents. */
@Injectable()
export class ToolsListReader extends ToolsListReading {
  constructor(private readonly pool: ImportPool) {
    super();
  }

  async read(tools: readonly unknown[], hostId: string): Promise<ReadToolsList> {
    if (tools.length === 0) return { offers: [], warnings: [] };
    const body = Buffer.from(JSON.stringify({ document: { tools }, format: 'mcp' }));
    const task = { body, mediaType: 'application/json', holds: 'document' } as const;
    const { document, refusal } = await this.pool.read(task, hostId);
    if (document !== undefined) {
      const offers = document.offers.map((offer) => ({ digest: offer.digest, facts: offeredFacts(offer) }));
      return { offers, warnings: document.warnings };
    }
    throw new Invalid(refusal?.code ?? 'unreadable', refusal?.detail ?? 'The list can’t be read.');
  }
}
