import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CatalogSignature } from '../effective-catalog/public.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import type { Command } from '../kernel/command.js';
import { CommandEngine } from '../kernel/command-engine.js';
import { type Fault, Invalid, NotFound, RuleBroken } from '../kernel/errors.js';
import { headPosition } from '../kernel/heads.js';
import { DATABASE, type Database, type Sql } from '../kernel/sql.js';
import { Idempotency } from '../platform/idempotency/idempotency.js';
import { keepReply } from '../platform/idempotency/kept-replies.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Writer } from '../platform/use-cases/use-case.js';
import { jsonValidator, type Validator } from '../platform/validation/validator.js';
import { type CodeDocument, type CodeKind, codeKinds, digestOf, placeOf } from './code-document.js';
import { documentsOf, eventsSince } from './code-documents.lookup.js';
import { Application } from './code-application.service.js';
import { CodeOperations } from './code-operations.service.js';
import { disowning, ownersOf, owning } from './code-owner.record.js';
import { type Action, planned, planText, type Present, type Refused, isAsPlanned } from './code-plan.js';
import { type PlanBody, specSchema } from './code-schemas.js';

export interface CodePlan {
  readonly planVersion: 1;
  readonly hostId: string;
  readonly owner: string;
  /** Position of the log that it was made at. */
  readonly position: number;
  /** Names of the fields that the documents have, by {@link placeOf}. */
  readonly given: Readonly<Record<string, readonly string[]>>;
  readonly actions: readonly Action[];
  readonly refused: readonly Refused[];
}

export interface SignedPlan {
  readonly plan: CodePlan;
  readonly text: string;
  readonly signature: string;
}

export interface Applied {
  readonly position: number;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
}

/** The catalog as documents: what they would change is planned, and a plan is carried out as it is, or not at all. */
@Injectable()
export class CatalogCode {
  private readonly faultsOf: ReadonlyMap<CodeKind, Validator>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly engine: CommandEngine,
    private readonly idempotency: Idempotency,
    private readonly operations: CodeOperations,
    private readonly signature: CatalogSignature,
  ) {
    const fieldsOf = (operation: string) => operations.fieldsOf(operation);
    this.faultsOf = new Map(codeKinds.map((kind) => [kind, jsonValidator(specSchema(kind, fieldsOf))]));
  }

  /** All documents of the host that the reader sees, and a position of the log that they hold all of. */
  async export(visibility: Visibility): Promise<{ position: number; documents: readonly CodeDocument[] }> {
    const { hostId } = visibility;
    const sql = this.database.of(hostId);
    const position = await headPosition(sql, hostId);
    const found = await documentsOf(sql, visibility);
    return { position, documents: found.map(({ kind, key, spec }) => ({ kind, key, spec })) };
  }

  /**
   * Plans what documents change, by carrying it out and rolling it back: what the rules of the catalog refuse is refused here.
   * Throws Invalid with each document that is not as its kind demands.
   */
  async plan(writer: Writer, { documents, ...options }: PlanBody): Promise<SignedPlan> {
    const wanted = this.checked(documents);
    const { hostId } = writer.visibility;
    const made = await this.engine.together(writer.context, true, async (context) => {
      const { tx } = context.within;
      const position = await headPosition(tx, hostId);
      const present = await this.present(tx, writer, options.prune ? codeKinds : kindsOf(wanted));
      const { actions, refused } = planned(wanted, present, options);
      const given = Object.fromEntries(wanted.map((one) => [placeOf(one), Object.keys(one.spec)]));
      const plan = { planVersion: 1, hostId, owner: options.owner, position, given, actions } as const;
      const within = new Application({ ...writer, context }, this.operations, present);
      return { ...plan, refused: [...refused, ...(await within.refusals(actions))] };
    });
    return { plan: made, text: planText(made), signature: await this.signature.sign(digest(made)) };
  }

  /**
   * Carries out a plan of this service, all of it in one transaction. Throws RuleBroken `plan_stale` with what has happened
   * since to what the plan is about, where that is not as the plan starts from.
   */
  async apply(writer: Writer, signed: SignedPlan): Promise<Applied> {
    const { plan } = signed;
    await this.requireGenuine(writer.visibility.hostId, signed);
    if (plan.refused.length > 0) throw refusedPlan(plan.refused);
    return this.idempotency.once(
      writer.context,
      () => this.carryOut(writer, plan),
      ({ body }) => JSON.parse(body) as Applied,
    );
  }

  private carryOut(
    { context: { idempotency: key, ...asked }, ...writer }: Writer,
    plan: CodePlan,
  ): Promise<Applied> {
    const { hostId } = writer.visibility;
    return this.engine.together(asked, false, async (context) => {
      const { tx } = context.within;
      const kinds = kindsOf(plan.actions);
      const present = await this.present(tx, writer, kinds);
      const stale = plan.actions.filter((action) => !isAsPlanned(action, present));
      if (stale.length > 0) throw await staleness(tx, plan, stale, present);
      const within = new Application({ ...writer, context }, this.operations, present);
      for (const action of plan.actions) await within.carryOut(action);
      const commands = ownership(plan, present, await this.present(tx, writer, kinds));
      await this.engine.execute({ context, commands: () => commands, result: () => undefined });
      const done = { position: await headPosition(tx, hostId), ...countOf(plan.actions) };
      const reply = { status: 200, headers: {}, body: JSON.stringify(done) } as const;
      if (key !== undefined) await keepReply(tx, hostId, key, reply);
      return done;
    });
  }

  private async present(
    sql: Sql,
    { visibility }: Pick<Writer, 'visibility'>,
    kinds: readonly CodeKind[],
  ): Promise<Present> {
    const found = await documentsOf(sql, visibility, kinds);
    return {
      documents: new Map(found.map((document) => [placeOf(document), document])),
      owned: await ownersOf(sql, visibility.hostId),
    };
  }

  private checked(documents: readonly CodeDocument[]): readonly CodeDocument[] {
    const seen = new Set<string>();
    const faults = documents.flatMap((document, at): Fault[] => {
      const pointer = `/documents/${String(at)}`;
      const own = this.faultsOf.get(document.kind)?.(document.spec) ?? [];
      const twice = seen.has(placeOf(document));
      seen.add(placeOf(document));
      return [
        ...own.map((fault) => ({ pointer: `${pointer}/spec${fault.pointer}`, detail: fault.detail })),
        ...(twice ? [{ pointer, detail: `${placeOf(document)} is there before` }] : []),
      ];
    });
    if (faults.length === 0) return documents;
    throw new Invalid('invalid_documents', 'The documents can’t be taken as they are.', faults.slice(0, 100));
  }

  /** The text follows from the plan, and is what people have looked at. */
  private async requireGenuine(hostId: string, { plan, text, signature }: SignedPlan): Promise<void> {
    const signed = await this.signature.verified(signature);
    if (signed?.equals(digest(plan)) !== true || text !== planText(plan)) {
      const detail =
        'The plan or its text is not as this service made it, or it was signed by a key that the service no longer has. Plan again.';
      throw new RuleBroken('plan_not_genuine', detail);
    }
    if (plan.hostId !== hostId) throw new NotFound('plan for host', plan.hostId);
  }
}

/** Says whose the records are that a plan was about. */
function ownership(
  { hostId, owner, given, actions }: CodePlan,
  { owned }: Present,
  after: Present,
): readonly Command[] {
  return actions.flatMap((action): Command[] => {
    const place = placeOf(action);
    const before = owned.get(place);
    if (action.op === 'delete') return before === undefined ? [] : [disowning(hostId, action)];
    const spec = after.documents.get(place)?.spec;
    if (spec === undefined || action.op === 'switch-off') return [];
    const kept = before?.owner === owner ? before.applied : {};
    const now = (given[place] ?? []).map((field) => [field, digestOf(spec[field])] as const);
    return [owning(hostId, action, { owner, applied: { ...kept, ...Object.fromEntries(now) } })];
  });
}

function kindsOf(documents: readonly Pick<CodeDocument, 'kind'>[]): readonly CodeKind[] {
  return codeKinds.filter((kind) => documents.some((document) => document.kind === kind));
}

function countOf(actions: readonly Action[]): Omit<Applied, 'position'> {
  const count = (...ops: readonly Action['op'][]) => actions.filter(({ op }) => ops.includes(op)).length;
  return {
    created: count('create'),
    changed: count('update', 'adopt'),
    removed: count('delete', 'switch-off'),
  };
}

function refusedPlan(refused: readonly Refused[]): RuleBroken {
  const faults = refused.map(({ kind, key, detail }) => ({
    pointer: '',
    detail: `${kind} ${key}: ${detail}`,
  }));
  return new RuleBroken(
    'plan_refused',
    'The plan says itself what can’t be done. Mend that, then plan again.',
    faults,
  );
}

async function staleness(
  tx: Sql,
  { hostId, position: madeAt }: CodePlan,
  stale: readonly Action[],
  { documents }: Present,
): Promise<RuleBroken> {
  const ids = stale.flatMap((action) => documents.get(placeOf(action))?.id ?? []);
  const events = await eventsSince(tx, hostId, madeAt, ids);
  const faults = [
    ...stale.map(({ kind, key }) => ({ pointer: '', detail: `${kind} ${key} is not as the plan found it.` })),
    ...events.map(({ position, type, user }) => ({
      pointer: '',
      detail: `${type} at position ${String(position)}, by ${user}`,
    })),
  ];
  const detail = 'What the plan is about has changed since it was made. Plan again.';
  return new RuleBroken('plan_stale', detail, faults);
}

function digest(plan: CodePlan): Buffer {
  return Buffer.from(hash('sha256', canonicalJson(plan)));
}
