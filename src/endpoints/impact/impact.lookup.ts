import type { Type } from '@nestjs/common';
import type { Command, Outcome } from '../../kernel/command.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import type { OperationSpec } from '../../platform/http/operation.js';
import { readRoute } from '../../platform/records/routes.js';
import {
  handle,
  type HandlerClass,
  type Receipt,
  receiptWith,
  type UseCase,
} from '../../platform/use-cases/use-case.js';
import { type Impact, impactAnswer, impactExample, type Reach } from './impact.schemas.js';

/** A record that might be deactivated. */
export interface ImpactSubject {
  readonly kind: 'endpoint' | 'tool' | 'skill' | 'agent' | 'api_version' | 'api';
  readonly id: string;
}

/**
 * Port to the floor that knows the agents: finds what depends on a record, as far as the reader may see it. The caller checks
 * whether the reader may see the record itself.
 */
export abstract class ImpactLookup {
  abstract of(sql: Sql, visibility: Visibility, subject: ImpactSubject): Promise<Impact>;

  /**
   * Finds whom a change of these endpoints reaches: the skills that have tools of them, and the agents that have these skills.
   */
  abstract reach(sql: Sql, visibility: Visibility, endpointIds: readonly string[]): Promise<Reach>;
}

/** A kind of record that may be switched off, and how it is found. */
interface Switched {
  readonly kind: ImpactSubject['kind'];
  /** Throws NotFound where the reader does not see it. */
  readonly requireSeen: (sql: Sql, visibility: Visibility, id: string) => Promise<unknown>;
}

/** Makes the route that shows what a deactivation would change. */
export function impactRoute(
  path: `${string}/:${string}`,
  { kind, requireSeen }: Switched,
  operation: Pick<OperationSpec, 'id' | 'params'> & {
    /** `an agent` */
    readonly noun: string;
    readonly example?: object;
  } & Partial<Pick<OperationSpec, 'summary' | 'description'>>,
): Type {
  const [, idName = ''] = path.split(':');
  const { noun, example = impactExample, ...spec } = operation;
  return readRoute(
    `${path}/impact`,
    {
      summary: `What would change if ${noun} went inactive`,
      description: 'Cut to what the token covers; empty where it is inactive already.',
      ...spec,
      scope: 'catalog:read',
      ...{ answer: impactAnswer, example: { answer: example } },
    },
    async (sql, { visibility, params }, impacts: ImpactLookup) => {
      const id = String(params[idName]);
      await requireSeen(sql, visibility, id);
      return impacts.of(sql, visibility, { kind, id });
    },
    ImpactLookup,
  );
}

/** A receipt with the impact of the deactivation. */
export type Deactivated<More extends object = object> = Receipt & { readonly impact: Impact } & More;

/** What is switched off by the commands of one id, and what its receipt says besides. */
interface Deactivating<Id extends string, More extends object> extends Switched {
  readonly id: Id;
  readonly command: (hostId: string, id: string) => Command;
  readonly more?: (outcome: Outcome) => More;
}

/** Makes the handler that switches a record off, whatever depends on it. */
export function deactivation<Id extends string, More extends object = object>(
  useCase: Type<UseCase<Readonly<Record<Id, string>>, Deactivated<More>>>,
  { kind, id, requireSeen, command, more = () => ({}) as More }: Deactivating<Id, More>,
): HandlerClass {
  return handle(
    useCase,
    {
      prepare: (_input, _writer, impacts: ImpactLookup) => Promise.resolve(impacts),
      async load(sql, input, { visibility }, impacts) {
        await requireSeen(sql, visibility, input[id]);
        return impacts.of(sql, visibility, { kind, id: input[id] });
      },
      decide: (_impact, input, { context }) => [command(context.hostId, input[id])],
      result: (outcomes, position, impact) => ({ ...receiptWith(more)(outcomes, position), impact }),
    },
    ImpactLookup,
  );
}
