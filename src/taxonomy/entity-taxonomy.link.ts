import { Put, type Type } from '@nestjs/common';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { receiptAnswer } from '../platform/http/schemas.js';
import { withArticle } from '../platform/records/record-routes.js';
import { readRoute, writeRoute } from '../platform/records/routes.js';
import { handle, type HandlerClass, type UseCase } from '../platform/use-cases/use-case.js';
import type { EntityType } from './term.fields.js';
import { selectionAnswer, selectionBody } from './entity-taxonomy.schemas.js';
import { selectionAnswerExample, selectionExample, selectionReceipt } from './taxonomy.examples.js';
import { selectionOf } from './taxonomy.lookup.js';
import { planSelection, type Selection } from './taxonomy.planner.js';

/** The input of the use case: the thing's id under the name that the path gives it, and the selection. */
export type Classification<Id extends string> = Readonly<Record<Id, string>> & Selection;

/** A kind of thing that can be classified. */
interface Classified<Id extends string> {
  readonly entityType: EntityType;
  /** Below the host, with the id last: `skills/:skillId`. */
  readonly path: `${string}/:${Id}`;
  readonly id: Id;
  readonly exampleId: string;
  /** Each kind of thing has a use case of its own, since handlers are found by their name. */
  readonly useCase: Type<UseCase<Classification<Id>>>;
  /** Throws NotFound where the reader does not see it. */
  readonly requireSeen: (sql: Sql, visibility: Visibility, id: string) => Promise<unknown>;
}

/** Makes the routes and the handler by which a kind of thing is classified. */
export function taxonomyOf<Id extends string>({
  entityType,
  path,
  id,
  exampleId,
  useCase,
  requireSeen,
}: Classified<Id>): { readonly handler: HandlerClass; readonly routes: Type[] } {
  const noun = withArticle(entityType);
  const operation = `${entityType.charAt(0).toUpperCase()}${entityType.slice(1)}Taxonomy`;
  const get = readRoute(
    `${path}/taxonomy`,
    {
      id: `get${operation}`,
      summary: `Get the categories and tags of ${noun}`,
      scope: 'catalog:read',
      answer: selectionAnswer,
      example: { answer: selectionAnswerExample(entityType, exampleId) },
    },
    async (sql, { visibility, params }) => {
      const entityId = String(params[id]);
      await requireSeen(sql, visibility, entityId);
      return selectionOf(sql, visibility.hostId, { entityType, entityId });
    },
  );
  const put = writeRoute(
    [Put, `${path}/taxonomy`],
    {
      id: `put${operation}`,
      summary: `Say what the categories and tags of ${noun} are`,
      description: 'All of them, in one event. Refused with `category_not_found` and `tag_not_found`.',
      scope: 'catalog:write',
      body: selectionBody,
      answer: receiptAnswer,
      example: { body: selectionExample, answer: selectionReceipt },
    },
    useCase,
  );
  const handler = handle(useCase, {
    async load(sql, input, { visibility }) {
      const entityId = input[id];
      await requireSeen(sql, visibility, entityId);
      return planSelection(sql, visibility, { entityType, entityId }, input);
    },
    decide: (commands) => commands,
  });
  return { handler, routes: [get, put] };
}
