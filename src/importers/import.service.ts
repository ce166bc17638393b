import { Inject, Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { ImpactLookup, specOf, versionSnapshot } from '../endpoints/public.js';
import { CommandEngine } from '../kernel/command-engine.js';
import { RuleBroken } from '../kernel/errors.js';
import { DATABASE, type Database, type Sql } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import type { Uploaded } from '../platform/records/routes.js';
import type { End, Writer } from '../platform/use-cases/use-case.js';
import { VersionLinks } from '../tools/public.js';
import { HeldOperations } from './held-operations.service.js';
import { demanded, envelopeCheck, ImportCounts, ImportReading } from './import-reading.service.js';
import {
  changedVersion,
  existingVersion,
  importedVersion,
  newVersion,
  versionFor,
  type Target,
} from './import-target.planner.js';
import type { ImportDryRun } from './import.port.js';
import { planImport, planVersion, type Import, type PlannedImport } from './import.planner.js';
import {
  importEnvelope,
  importOptions,
  newVersionEnvelope,
  versionPatchEnvelope,
  type ImportEnvelope,
  type ImportOptions,
  type NewVersionEnvelope,
  type VersionPatchEnvelope,
} from './import.schemas.js';

/** An upload that may hold a document. */
type Upload = Omit<Uploaded, 'query'>;

/** A write of an API version that was read, and is to be planned. */
export interface ReadImport {
  /** Undefined where the version alone is written. */
  readonly request: Import | undefined;
  readonly isDryRun: boolean;
  /** Finds or makes the version; its commands go first. */
  readonly target: (sql: Sql) => Promise<Target>;
}

const checks = {
  named: envelopeCheck<ImportEnvelope>(importEnvelope),
  options: envelopeCheck<ImportOptions>(importOptions),
  newVersion: envelopeCheck<NewVersionEnvelope>(newVersionEnvelope),
  versionPatch: envelopeCheck<VersionPatchEnvelope>(versionPatchEnvelope),
};

/** Reads the documents of imports off the main thread. */
@Injectable()
export class ImportService implements ImportDryRun {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly engine: CommandEngine,
    private readonly reading: ImportReading,
    private readonly impact: ImpactLookup,
    private readonly counts: ImportCounts,
    private readonly operations: HeldOperations,
    private readonly links: VersionLinks,
  ) {}

  async dryRun<Seen>(caller: Caller, body: object, look: (sql: Sql) => Promise<Seen>): Promise<Seen> {
    const context = { hostId: caller.hostId, actor: caller.actor, correlationId: v7() };
    const writer = { context, caller, visibility: visibilityOf(caller) };
    const upload = { body: Buffer.from(JSON.stringify(body)), mediaType: 'application/json' };
    const read = await this.named(writer, upload);
    let seen: Seen | undefined;
    // By the engine itself, since a use case can't look at the rows before they are rolled back.
    await this.engine.execute({
      context,
      isDryRun: true,
      commands: async (sql) => (await planned(sql, read)).commands,
      beforeCommit: async (sql) => {
        seen = await look(sql);
      },
      result: () => undefined,
    });
    return seen as Seen;
  }

  /** Reads an import that names API and version; both are made where they are missing. */
  async named(writer: Writer, { body, mediaType }: Upload): Promise<ReadImport> {
    const task = { body, mediaType, holds: 'document' } as const;
    const { fields, ...read } = await this.reading.envelope(writer.caller, checks.named, task);
    const document = demanded(read, '/document');
    const { api, version, dryRun } = fields;
    const { apiVersion, serviceId, envTag = null, apiType } = version;
    const wanted = { ...api, apiVersion, serviceId, envTag, apiType, madeFrom: document };
    const target = (sql: Sql) => versionFor(sql, writer, wanted);
    return { ...this.importOf(writer, { ...fields, document }), target, isDryRun: dryRun };
  }

  /** The body is the document, or holds it. */
  async into(
    writer: Writer,
    { apiVersionId, body, mediaType, query }: Uploaded<ImportOptions> & { readonly apiVersionId: string },
  ): Promise<ReadImport> {
    const { version } = await importedVersion(this.rowsOf(writer), writer, apiVersionId);
    const { format } = query;
    const { apiType } = version;
    const task = { body, mediaType, holds: 'document?', format, apiType, fields: query } as const;
    const { fields, ...read } = await this.reading.envelope(writer.caller, checks.options, task);
    const document = demanded(read, '/document');
    const target = (sql: Sql) => importedVersion(sql, writer, apiVersionId);
    return { ...this.importOf(writer, { ...fields, document }), target, isDryRun: fields.dryRun };
  }

  /** Reads the document in force once more. */
  async again(writer: Writer, apiVersionId: string, isDryRun: boolean): Promise<ReadImport> {
    const { hostId } = writer.context;
    const { version } = await importedVersion(this.rowsOf(writer), writer, apiVersionId);
    const spec = await specOf(this.rowsOf(writer), hostId, apiVersionId);
    if (spec === null)
      throw new RuleBroken('no_document', 'The version has no document yet: import one first.');
    const document = await this.reading.stored(spec.packed, version.apiType, hostId);
    const target = async (sql: Sql) => {
      const now = await versionSnapshot(sql, hostId, version);
      if (now?.specDigest !== spec.digest) throw replaced();
      return importedVersion(sql, writer, apiVersionId);
    };
    return { ...this.importOf(writer, { document, ...asSource }), target, isDryRun };
  }

  /** Reads a new version, with or without a document. */
  async newVersion(
    writer: Writer,
    { apiId, body }: Upload & { readonly apiId: string },
  ): Promise<ReadImport> {
    const task = { body, mediaType, holds: 'spec' } as const;
    const { fields, document } = await this.reading.envelope(writer.caller, checks.newVersion, task);
    const wanted = { ...fields, apiId, envTag: fields.envTag ?? null };
    const target = (sql: Sql) => newVersion(sql, writer, wanted);
    return { ...this.importOf(writer, { document, ...asSource }), target, isDryRun: false };
  }

  /** Reads a change of a version, with or without a document. */
  async changedVersion(
    writer: Writer,
    { apiVersionId, body }: Upload & { readonly apiVersionId: string },
  ): Promise<ReadImport> {
    const { version } = await existingVersion(this.rowsOf(writer), writer, apiVersionId);
    const task = { body, mediaType, holds: 'spec', apiType: version.apiType } as const;
    const { fields, document } = await this.reading.envelope(writer.caller, checks.versionPatch, task);
    const find = document === undefined ? existingVersion : importedVersion;
    const target = async (sql: Sql): Promise<Target> =>
      changedVersion(writer, await find(sql, writer, apiVersionId), fields);
    return { ...this.importOf(writer, { document, ...asSource }), target, isDryRun: false };
  }

  /** Counts what was read and then taken in, or refused. */
  ended({ prepared, error }: End<ReadImport>): void {
    const format = prepared?.request?.document.format;
    if (format !== undefined) this.counts.ended({ format, isDryRun: prepared?.isDryRun === true, error });
  }

  private importOf(
    { visibility }: Writer,
    { document, layer, publish, onConflict, createTags }: Wanted,
  ): Pick<ReadImport, 'request'> {
    if (document === undefined) return { request: undefined };
    const { impact, operations, links } = this;
    const known = { operations, links };
    return { request: { document, layer, publish, onConflict, createTags, visibility, impact, known } };
  }

  private rowsOf({ context }: Writer): Sql {
    return context.within?.tx ?? this.database.of(context.hostId);
  }
}

/** Plans an import that was read. */
export async function planned(sql: Sql, { request, target }: ReadImport): Promise<PlannedImport> {
  const found = await target(sql);
  return request === undefined ? planVersion(sql, found) : planImport(sql, request, found);
}

/** Media type of the bodies of versions. */
const mediaType = 'application/json';

/** The options of an import. */
type Wanted = Pick<Import, 'publish' | 'onConflict' | 'createTags'> & {
  readonly document: Import['document'] | undefined;
  readonly layer?: Import['layer'];
};

/** How the `spec` of a version is taken in. */
const asSource = { layer: 'source', publish: false, onConflict: 'report', createTags: false } as const;

function replaced(): RuleBroken {
  return new RuleBroken(
    'document_replaced',
    'Another document was imported in the meantime: there is nothing to read again.',
  );
}
