import type { Type } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Command } from '../../kernel/command.js';
import type { Sql } from '../../kernel/sql.js';
import { handle, type HandlerClass, type UseCase, type Writer } from '../use-cases/use-case.js';
import type { Held, Noun } from './record.js';
import type { ChangesOf, Members, NewOf, RecordSpec, Unique } from './record-spec.js';

/** The use cases of a noun, each a class of its own. */
interface UseCases<S extends RecordSpec, Given> {
  readonly create?: Type<UseCase<Given>>;
  readonly put?: Type<UseCase<Given>>;
  readonly update?: Type<UseCase<ChangesOf<S>>>;
  readonly delete?: Type<UseCase<object>>;
  readonly activate?: Type<UseCase<object>>;
  readonly deactivate?: Type<UseCase<object>>;
}

/** The subject of a use case. */
export interface About<Given, Seen> {
  readonly id: string;
  /** Without the id. */
  readonly given: Given;
  /** The result of {@link NounRules.requireSeen}; undefined where the record is created or put. */
  readonly seen: Seen | undefined;
}

/** Steps of a noun's use cases beyond those of every noun. */
export interface NounRules<Given, Facts, RemoveFacts, Seen> {
  /** Refuses values that are wrong in themselves: secrets, unsafe text, unfit addresses. */
  check?(given: Given, writer: Writer): void | Promise<void>;
  /** Throws NotFound where the writer does not see the record. */
  requireSeen?(sql: Sql, writer: Writer, id: string): Promise<Seen>;
  /** Reads the facts that the noun's rules need, beside the holder of its unique values. */
  facts?(
    sql: Sql,
    writer: Writer,
    about: About<Partial<Given>, NoInfer<Seen>>,
  ): Promise<Omit<Facts & object, keyof Held>>;
  /** Reads the facts that a removal needs. */
  removeFacts?(sql: Sql, writer: Writer, id: string): Promise<RemoveFacts>;
  /** Makes further commands for the same write, beside that on the record. */
  besides?(
    sql: Sql,
    writer: Writer,
    about: About<Partial<Given>, NoInfer<Seen>>,
  ): Promise<readonly Command[]>;
}

/** The handlers of a noun's use cases. */
export function recordHandlers<
  S extends RecordSpec,
  Facts,
  RemoveFacts,
  Given extends NewOf<S>,
  Seen = unknown,
>(
  noun: Noun<S, Facts, RemoveFacts>,
  { create, put, update, delete: remove, activate, deactivate }: UseCases<S, Given>,
  rules: NounRules<Omit<Given, keyof S['id']>, Facts, RemoveFacts, Seen> = {},
): HandlerClass[] {
  const carriers = new Carriers(noun as unknown as Carriers['noun'], rules);
  return [
    ...(create ? [carriers.writing(create, 'create')] : []),
    ...(put ? [carriers.writing(put, 'put')] : []),
    ...(update ? [carriers.writing(update, 'change')] : []),
    ...(remove ? [carriers.removing(remove)] : []),
    ...(activate ? [carriers.activating(activate)] : []),
    ...(deactivate ? [carriers.deactivating(deactivate)] : []),
  ];
}

/** Makes the handlers of one noun, whatever its fields. */
class Carriers {
  private readonly idName: string;

  constructor(
    readonly noun: Noun<RecordSpec & { readonly unique: Unique & { readonly among: 'active' } }>,
    readonly rules: NounRules<Members, unknown, unknown, unknown>,
  ) {
    this.idName = Object.keys(noun.spec.id).join();
  }

  writing(useCase: Type<UseCase<object>>, does: 'create' | 'put' | 'change'): HandlerClass {
    const { noun, rules } = this;
    const { idTaken, unique } = noun.spec as RecordSpec;
    return handle(useCase, {
      check: (input, writer) => rules.check?.(this.givenOf(input), writer),
      load: async (sql, input, writer) => {
        const id = does === 'create' && idTaken === undefined ? v7() : this.idOf(input);
        const given = this.givenOf(input);
        const seen = does === 'change' ? await this.requireSeen(sql, writer, id) : undefined;
        const mayBeHeld = does !== 'change' || unique?.by.some((name) => name in given) === true;
        const { hostId } = writer.context;
        const held = mayBeHeld ? await noun.held(sql, hostId, id, given as never) : { heldBy: null };
        const facts = { ...held, ...(await rules.facts?.(sql, writer, { id, given, seen })) };
        const besides = (await rules.besides?.(sql, writer, { id, given, seen })) ?? [];
        return { id, given, facts, besides };
      },
      decide: ({ id, given, facts, besides }, _input, { context }) => [
        noun[does](context.hostId, id, given as never, facts),
        ...besides,
      ],
    });
  }

  removing(useCase: Type<UseCase<object>>): HandlerClass {
    return handle(useCase, {
      load: async (sql, input, writer) => {
        await this.requireSeen(sql, writer, this.idOf(input));
        return this.rules.removeFacts?.(sql, writer, this.idOf(input));
      },
      decide: (facts, input, { context }) => [this.noun.remove(context.hostId, this.idOf(input), facts)],
    });
  }

  activating(useCase: Type<UseCase<object>>): HandlerClass {
    return handle(useCase, {
      load: async (sql, input, writer) => {
        await this.requireSeen(sql, writer, this.idOf(input));
        return this.noun.held(sql, writer.context.hostId, this.idOf(input), {});
      },
      decide: (held, input, { context }) => [this.noun.activate(context.hostId, this.idOf(input), held)],
    });
  }

  deactivating(useCase: Type<UseCase<object>>): HandlerClass {
    return handle(useCase, {
      load: (sql, input, writer) => this.requireSeen(sql, writer, this.idOf(input)),
      decide: (_seen, input, { context }) => [this.noun.deactivate(context.hostId, this.idOf(input))],
    });
  }

  private idOf(input: object): string {
    return String((input as Members)[this.idName]);
  }

  private givenOf(input: object): Members {
    const { [this.idName]: _id, ...given } = input as Members;
    return given;
  }

  private async requireSeen(sql: Sql, writer: Writer, id: string): Promise<unknown> {
    return this.rules.requireSeen?.(sql, writer, id);
  }
}
