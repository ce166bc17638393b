import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { v7 } from 'uuid';
import { specOf, versionStand } from '../endpoints/api-version.lookup.js';
import { ImpactLookup } from '../endpoints/impact.lookup.js';
import { RuleBroken } from '../eventsourcing/errors.js';
import { Heads } from '../eventsourcing/heads.js';
import { DATABASE, type Database, type Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import type { Writer } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { type Write, WriteCommand } from '../platform/use-cases/write-command.js';
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
import { ImportWrite, versionPath, type Import, type VersionReceipt } from './import.planner.js';
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

/** A write with a body that may hold a document. */
export interface Upload {
  readonly writer: Writer;
  readonly body: Buffer;
  readonly mediaType: string;
}

const checks = {
  named: envelopeCheck<ImportEnvelope>(importEnvelope),
  options: envelopeCheck<ImportOptions>(importOptions),
  newVersion: envelopeCheck<NewVersionEnvelope>(newVersionEnvelope),
  versionPatch: envelopeCheck<VersionPatchEnvelope>(versionPatchEnvelope),
};

/** Takes documents in: read off the main thread, planned before the lock, carried out in one transaction. */
@Injectable()
export class ImportService implements ImportDryRun {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commandBus: CommandBus,
    private readonly reading: ImportReading,
    private readonly heads: Heads,
    private readonly impact: ImpactLookup,
    private readonly counts: ImportCounts,
  ) {}

  /** `POST …/imports`: the API and the version are made where they are missing. */
  async importNamed(upload: Upload): Promise<Reply> {
    const { write, dryRun } = await this.named(upload);
    return this.carryOut(write, dryRun);
  }

  async dryRun<Seen>(caller: Caller, body: object, look: (sql: Sql) => Promise<Seen>): Promise<Seen> {
    const context = { hostId: caller.hostId, actor: caller.actor, correlationId: v7() };
    const writer = { context, caller, visibility: visibilityOf(caller) };
    const upload = { writer, body: Buffer.from(JSON.stringify(body)), mediaType: 'application/json' };
    const { write } = await this.named(upload);
    const seen: Seen[] = [];
    await this.execute({
      ...{ context, mode: 'locked', dry: true },
      plan: (sql) => write.plan(sql),
      look: async (sql) => void seen.push(await look(sql)),
      reply: (outcomes, position) => write.reply(outcomes, position),
    });
    return seen[0] as Seen;
  }

  private async named({ writer, ...body }: Upload): Promise<{ write: ImportWrite; dryRun: boolean }> {
    const task = { ...body, holds: 'document' } as const;
    const { words, ...read } = await this.reading.envelope(writer.caller, checks.named, task);
    const document = demanded(read, '/document');
    const { api, version, dryRun } = words;
    const { apiVersion, serviceId, envTag = null, apiType } = version;
    const wanted = { ...api, apiVersion, serviceId, envTag, apiType, madeFrom: document };
    const target = (sql: Sql) => versionFor(sql, writer, wanted);
    return { write: this.write(writer, { ...words, document }, target), dryRun };
  }

  /** `POST …/api-versions/{apiVersionId}/imports`: the body is the document, or holds it. */
  async importInto({ writer, ...body }: Upload, apiVersionId: string, query: ImportOptions): Promise<Reply> {
    const { version } = await importedVersion(this.rowsOf(writer), writer, apiVersionId);
    const { format } = query;
    const task = { ...body, holds: 'document?', format, apiType: version.apiType, words: query } as const;
    const { words, ...read } = await this.reading.envelope(writer.caller, checks.options, task);
    const document = demanded(read, '/document');
    const target = (sql: Sql) => importedVersion(sql, writer, apiVersionId);
    return this.carryOut(this.write(writer, { ...words, document }, target), words.dryRun);
  }

  /** `POST …/api-versions/{apiVersionId}/resync`: the document in force, read once more. */
  async resync(writer: Writer, apiVersionId: string): Promise<Reply> {
    const { version } = await importedVersion(this.rowsOf(writer), writer, apiVersionId);
    const spec = await specOf(this.rowsOf(writer), writer.context.hostId, apiVersionId);
    if (spec === null)
      throw new RuleBroken('no_document', 'The version has no document yet: import one first.');
    const document = await this.reading.stored(spec.packed, version.apiType);
    const target = async (sql: Sql) => {
      const now = await versionStand(sql, writer.context.hostId, version);
      if (now?.specDigest !== spec.digest) throw replaced();
      return importedVersion(sql, writer, apiVersionId);
    };
    return this.carryOut(this.write(writer, { document, ...asSource }, target), false);
  }

  /** `POST …/apis/{apiId}/versions`, with a document or without. */
  async createVersion({ writer, ...body }: Upload, apiId: string): Promise<Reply> {
    const task = { ...body, holds: 'spec' } as const;
    const { words, document } = await this.reading.envelope(writer.caller, checks.newVersion, task);
    const wanted = { ...words, apiId, envTag: words.envTag ?? null };
    const target = (sql: Sql) => newVersion(sql, writer, wanted);
    if (document === undefined) {
      const plan = async (sql: Sql) => (await target(sql)).commands;
      return this.execute({
        context: writer.context,
        mode: 'locked',
        plan,
        reply: receipt(201, undefined, versionPath),
      });
    }
    const answer = { status: 201, location: true } as const;
    return this.carryOut(this.write(writer, { document, ...asSource }, target, answer), false);
  }

  /** `PATCH …/api-versions/{apiVersionId}`, with a document or without. */
  async updateVersion({ writer, ...body }: Upload, apiVersionId: string): Promise<Reply> {
    const { version } = await existingVersion(this.rowsOf(writer), writer, apiVersionId);
    const task = { ...body, holds: 'spec', apiType: version.apiType } as const;
    const { words, document } = await this.reading.envelope(writer.caller, checks.versionPatch, task);
    const find = document === undefined ? existingVersion : importedVersion;
    const target = async (sql: Sql): Promise<Target> =>
      changedVersion(writer, await find(sql, writer, apiVersionId), words);
    if (document === undefined) {
      const plan = async (sql: Sql) => (await target(sql)).commands;
      return this.execute({ context: writer.context, mode: 'locked', plan, reply: receipt(200) });
    }
    const answer = { status: 200, location: false } as const;
    return this.carryOut(this.write(writer, { document, ...asSource }, target, answer), false);
  }

  private write(
    writer: Writer,
    { document, layer, publish, onConflict, createTags }: Wanted,
    target: (sql: Sql) => Promise<Target>,
    answer?: VersionReceipt,
  ): ImportWrite {
    const { visibility } = writer;
    const request = { document, layer, publish, onConflict, createTags, visibility, impact: this.impact };
    return new ImportWrite(writer.context, request, target, answer);
  }

  private carryOut(write: ImportWrite, dryRun: boolean): Promise<Reply> {
    return this.counts.importing({ format: write.format, dryRun }, async () => {
      if (!dryRun) return this.execute(write);
      await write.plan(this.database.of(write.context.hostId));
      return write.preview(await this.heads.position(write.context.hostId));
    });
  }

  private rowsOf({ context }: Writer): Sql {
    return this.database.of(context.hostId);
  }

  private execute(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}

/** What a request says of an import. */
type Wanted = Pick<Import, 'document' | 'publish' | 'onConflict' | 'createTags'> & {
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
