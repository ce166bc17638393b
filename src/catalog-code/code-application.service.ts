import type { OpenTransaction, WriteContext } from '../kernel/command.js';
import { Invalid, NotFound, RuleBroken } from '../kernel/errors.js';
import { Problem } from '../platform/http/problem.js';
import type { Writer } from '../platform/use-cases/use-case.js';
import { placeOf } from './code-document.js';
import { idsByKey, type ReferredKind } from './code-documents.lookup.js';
import type { CodeOperations } from './code-operations.service.js';
import { type Action, type Present, type Refused, setBy } from './code-plan.js';
import { type Reach, remove, writers } from './code-writes.js';

/** Carries out actions one after the other, within one transaction. */
export class Application implements Reach {
  readonly hostId: string;
  private readonly ids = new Map<ReferredKind, Map<string, string>>();

  constructor(
    private readonly writer: Writer & {
      readonly context: WriteContext & { readonly within: OpenTransaction };
    },
    private readonly operations: CodeOperations,
    private readonly present: Present,
  ) {
    this.hostId = writer.visibility.hostId;
  }

  /** Carries out what can be, and says why the rest can't. */
  async refusals(actions: readonly Action[]): Promise<readonly Refused[]> {
    const { tx } = this.writer.context.within;
    const refused: Refused[] = [];
    for (const action of actions) {
      await tx.query('SAVEPOINT action');
      try {
        await this.carryOut(action);
      } catch (error) {
        refused.push(...asRefused(action, error));
        await tx.query('ROLLBACK TO SAVEPOINT action');
      }
    }
    return refused;
  }

  async carryOut(action: Action): Promise<void> {
    const { op, kind, key } = action;
    const present = this.present.documents.get(placeOf(action));
    if (op === 'delete' && present !== undefined) {
      await remove(kind, present.id, this);
      return;
    }
    const id = await writers[kind]({ key, set: setBy(action), ...(present && { present }) }, this);
    if (op === 'create' && kind !== 'HostSettings') (await this.idsOf(kind)).set(key, id);
  }

  readonly call: Reach['call'] = (operation, params, body) =>
    this.operations.call(this.writer, operation, { hostId: this.hostId, ...params }, body);

  readonly idOf: Reach['idOf'] = async (kind, key) => {
    const id = kind === 'HostSettings' ? this.hostId : (await this.idsOf(kind)).get(key);
    if (id !== undefined) return id;
    throw new Invalid(
      'reference_not_found',
      `There is no ${kind} ${key}, and no document of it comes before.`,
    );
  };

  private async idsOf(kind: ReferredKind): Promise<Map<string, string>> {
    const known = this.ids.get(kind) ?? (await idsByKey(this.writer.context.within.tx, this.hostId, kind));
    this.ids.set(kind, known);
    return known;
  }
}

/** What the caller can do something about; every other error is not the document's. */
function asRefused({ kind, key }: Action, error: unknown): readonly Refused[] {
  const isRefusal =
    error instanceof Invalid ||
    error instanceof RuleBroken ||
    error instanceof NotFound ||
    (error instanceof Problem && error.status < 500);
  if (!isRefusal) throw error;
  const faults = 'faults' in error ? error.faults : [];
  const more = faults.map(({ pointer, detail }) => ` ${pointer} ${detail}`);
  return [{ kind, key, code: error.code, detail: error.message + more.join('') }];
}
