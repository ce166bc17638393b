import type { CommandEngine } from '../../src/kernel/command-engine.js';
import type { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import type { WriteContext } from '../../src/kernel/command.js';
import type { Database } from '../../src/kernel/sql.js';
import { Idempotency } from '../../src/platform/idempotency/idempotency.js';
import { receiptsOf, type HandlerClass, type UseCase } from '../../src/platform/use-cases/use-case.js';

/** Carries out a use case as a request does, by that of the handlers which declares it. */
export async function execute<Result extends object>(
  { engine, database }: { readonly engine: CommandEngine; readonly database: Database },
  handlers: readonly HandlerClass[],
  useCase: UseCase<unknown, Result>,
  ...needs: readonly unknown[]
): Promise<Result> {
  const Handler = handlers.find((handler) => useCase instanceof handler.useCase);
  if (Handler === undefined) throw new Error(`Nothing handles ${useCase.constructor.name}.`);
  return (await new Handler(engine, new Idempotency(database), ...needs).execute(useCase)) as Result;
}

/** Carries out commands that no use case sends, and gives the receipt of each. */
export async function carryOut(
  engine: CommandEngine,
  context: WriteContext,
  commands: UnitOfWork<unknown>['commands'],
) {
  const { items } = await engine.execute({ context, commands, result: receiptsOf(() => ({})) });
  return items;
}
