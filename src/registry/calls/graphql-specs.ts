import { type Json, type JsonObject, objectMember, textMember } from '../../documents/json.js';
import { offeredFacts, readDescription, type EndpointFacts } from '../../formats/shared.js';
import type { ToolSpec } from '../specs/tool-spec.js';

const MAX_DESCRIPTION = 4_000;

/**
 * Writes a spec for each operation of a GraphQL schema, as an import makes them: all arguments as parameters, at most 200 fields as
 * the answer. Somebody then leaves out what a model need not know.
 *
 * @param schema SDL, or the answer to an introspection query
 * @param api the apiId of the API that answers, or apiId@version
 * @throws UnreadableDocument
 */
export async function graphqlSpecs(schema: string, api: string): Promise<readonly ToolSpec[]> {
  const { offers } = await readDescription(schema, { format: 'graphql' });
  return offers.map((offer) => specOf(offeredFacts(offer), api));
}

function specOf(facts: EndpointFacts, api: string): ToolSpec {
  const { name = '', sourceName: field = '', description = '', inputSchema = {}, extras, safety } = facts;
  const operation = textMember(objectMember(extras, 'graphql'), 'document') ?? '';
  const parameters = Object.keys(objectMember(inputSchema, 'properties') ?? {});
  return {
    ...{ version: '0.1.0', title: name, name, host: null, owner: null },
    description: description.trim().slice(0, MAX_DESCRIPTION) || `Calls ${field} of ${api}.`,
    inputSchema: { type: 'object', ...(inputSchema as JsonObject) },
    outputSchema: resultSchema(facts.outputSchema as JsonObject | undefined, field),
    annotations: { readOnlyHint: safety?.readOnly === true },
    graphql: {
      ...{ api, operation, operationName: field },
      ...(parameters.length > 0 && {
        variables: Object.fromEntries(parameters.map((each) => [each, `$${each}`])),
      }),
    },
    ...{ composite: null, examples: [] },
  };
}

/** Of the data of one field, where that is an object: null is no result but a failure. */
function resultSchema(answer: JsonObject | undefined, field: string): JsonObject | null {
  const result = objectMember(objectMember(answer, 'properties'), field);
  if (result === undefined || ![result['type']].flat().includes('object')) return null;
  const definitions: Json | undefined = answer?.['$defs'];
  return { ...result, type: 'object', ...(definitions !== undefined && { $defs: definitions }) };
}
