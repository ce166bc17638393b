/** The published description of the portal's actions: what each takes and gives is what its operation over HTTP declares. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import { isUuidParameter, parameterNames, text, uuid } from '../platform/http/schemas.js';
import { portalActions, PORTAL_VERSION, type PortalAction } from './portal-action.js';

/** What a description needs of an operation over HTTP. */
export interface DescribedTwin {
  readonly url: string;
  readonly operation: {
    readonly scope: string | readonly string[];
    readonly query?: JSONSchema;
    readonly body?: JSONSchema;
    readonly answer: JSONSchema;
  };
}

interface Members {
  readonly properties: Readonly<Record<string, JSONSchema>>;
  readonly required: readonly string[];
}

const MAX_TEXT = 512;

export function portalSpecOf(twinOf: (operation: string) => DescribedTwin): object {
  const actions = [...portalActions].map(([action, declared]) => {
    const { kind, summary, operation, list } = declared;
    const twin = twinOf(operation);
    return {
      ...{ action, kind, path: `/portal/${kind}`, operation },
      ...(list !== undefined && { listOperation: list.operation }),
      ...{ scope: [twin.operation.scope].flat(), summary },
      data: dataOf(declared, twin),
      answer: twin.operation.answer,
    };
  });
  return { service: 'genai', version: PORTAL_VERSION, actions };
}

function dataOf({ listed, list }: PortalAction, { url, operation }: DescribedTwin): JSONSchema {
  const names = parameterNames(url);
  const path = Object.fromEntries(names.map((name) => [name, isUuidParameter(name) ? uuid : text(MAX_TEXT)]));
  const body = listed === undefined ? operation.body : itemsOf(operation.body, listed);
  const [query, said] = [membersOf(operation.query), membersOf(body)];
  const required = [...names, ...query.required, ...said.required];
  return {
    type: 'object',
    required: required.filter((name) => name !== list?.key),
    properties: { ...path, ...query.properties, ...said.properties },
  };
}

function itemsOf(body: JSONSchema | undefined, member: string): JSONSchema | undefined {
  return (membersOf(body).properties[member] as { readonly items?: JSONSchema } | undefined)?.items;
}

function membersOf(schema: JSONSchema | undefined): Members {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<Members>;
  return { properties, required };
}
