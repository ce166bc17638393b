import { GraphQLError, Kind, parse } from 'graphql';

/** An operation of a GraphQL document. */
export interface GraphqlOperation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string | undefined;
}

/** Far more than an operation of one tool has. */
const MAX_TOKENS = 20_000;

/** Lists the operations of a document; a text says why it is none, with line and column. */
export function operationsOf(document: string): readonly GraphqlOperation[] | string {
  try {
    return parse(document, { noLocation: true, maxTokens: MAX_TOKENS }).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? [{ kind: definition.operation, name: definition.name?.value }]
        : [],
    );
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const [place] = error.locations ?? [];
    return place === undefined
      ? error.message
      : `${error.message} at line ${String(place.line)}, column ${String(place.column)} of the operation`;
  }
}
