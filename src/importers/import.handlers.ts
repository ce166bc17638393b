import type { Command, Outcome } from '../kernel/command.js';
import type { Written } from '../kernel/unit-of-work.js';
import type { Sql } from '../kernel/sql.js';
import type { Uploaded } from '../platform/records/routes.js';
import {
  handle,
  receiptOf,
  UseCase,
  type End,
  type Receipt,
  type Writer,
} from '../platform/use-cases/use-case.js';
import { versionsInReview } from '../tools/public.js';
import type { ImportOptions } from './import.schemas.js';
import { ImportService, planned, type ReadImport } from './import.service.js';
import type { PlannedImport } from './import.planner.js';

interface Version {
  readonly apiVersionId: string;
}
/** The receipt of a version, with the report where it brought a document. */
type VersionReceipt = Receipt & { readonly import?: object };

/** Takes a document in; the API and the version are made where they are missing. */
export class ImportApi extends UseCase<Uploaded, object> {}
/** Takes a document into a version: the body is it, or holds it. */
export class ImportIntoApiVersion extends UseCase<Version & Uploaded<ImportOptions>, object> {}
/** Takes the document in force in once more. */
export class ResyncApiVersion extends UseCase<Version & { readonly dryRun?: boolean }, object> {}
/** The body may bring a document, which is imported in the same transaction. */
export class CreateApiVersion extends UseCase<{ readonly apiId: string } & Uploaded, VersionReceipt> {}
export class UpdateApiVersion extends UseCase<Version & Uploaded, VersionReceipt> {}

interface Facts {
  readonly read: ReadImport;
  readonly plan: PlannedImport;
}

/** Plans before the host's lock is taken, since planning takes long. */
const planning = {
  isDryRun: (_input: unknown, { isDryRun }: ReadImport): boolean => isDryRun,
  load: async (sql: Sql, _input: unknown, _writer: Writer, read: ReadImport): Promise<Facts> => ({
    read,
    plan: await planned(sql, read),
  }),
  revalidate: (sql: Sql, { plan }: Facts): Promise<boolean> => plan.revalidate(sql),
  decide: ({ plan }: Facts): readonly Command[] => plan.commands,
  ended: (end: End<ReadImport>, [imports]: readonly [ImportService]): void => {
    imports.ended(end);
  },
};

const taking = {
  ...planning,
  result: async (_outcomes: unknown, position: number, { plan, read }: Facts, written: Written) =>
    reported(plan, { position, written, isDry: read.isDryRun }),
};

const writing = {
  ...planning,
  result: async (
    outcomes: readonly Outcome[],
    position: number,
    { read, plan }: Facts,
    written: Written,
  ): Promise<VersionReceipt> => ({
    ...receiptOf(outcomes, position),
    ...(read.request !== undefined && { import: await reported(plan, { position, written }) }),
  }),
};

/** The report, with what waits for a review once all is written. */
async function reported(
  plan: PlannedImport,
  { position, written, isDry = false }: { position: number; written: Written; isDry?: boolean },
): Promise<object> {
  const { hostId, apiVersionId } = plan;
  const made = plan.report(position, isDry);
  const waiting = await versionsInReview(written, hostId, apiVersionId);
  const isNamed = 'apiVersionId' in made;
  return { ...made, inReview: isNamed ? waiting : waiting.map(({ toolId: _, ...version }) => version) };
}

export const importHandlers = [
  handle(
    ImportApi,
    { prepare: (input, writer, imports: ImportService) => imports.named(writer, input), ...taking },
    ImportService,
  ),
  handle(
    ImportIntoApiVersion,
    { prepare: (input, writer, imports: ImportService) => imports.into(writer, input), ...taking },
    ImportService,
  ),
  handle(
    ResyncApiVersion,
    {
      prepare: ({ apiVersionId, dryRun = false }, writer, imports: ImportService) =>
        imports.again(writer, apiVersionId, dryRun),
      ...taking,
    },
    ImportService,
  ),
  handle(
    CreateApiVersion,
    { prepare: (input, writer, imports: ImportService) => imports.newVersion(writer, input), ...writing },
    ImportService,
  ),
  handle(
    UpdateApiVersion,
    { prepare: (input, writer, imports: ImportService) => imports.changedVersion(writer, input), ...writing },
    ImportService,
  ),
];
