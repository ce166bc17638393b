import { safetyOfVerb } from '../../formats/endpoint-facts.js';
import type { ImportedEndpoint } from '../imported.js';
import {
  below,
  byCodePoint,
  entriesOf,
  flagMember,
  isObject,
  listMember,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { DocumentLimits } from '../../documents/limits.js';
import type { UnnamedEndpoint } from '../named-endpoints.js';
import type { SchemaCopier } from '../schema/schema-copier.js';
import { standalone } from '../schema/standalone.js';
import { hintsOf, type Hints } from './hints.js';
import { logicalInput } from './input-schema.js';
import type { OpenApiDocument, Placed } from './openapi-document.js';
import { collectParameters, readParameter, undeclaredParameters, type Parameter } from './parameters.js';
import { readBody } from './request-body.js';
import { outputSchema } from './responses.js';
import { scopesOf } from './security.js';
import { serversOf, upgradeOperation } from './swagger2.js';

/** Where an operation stands: `paths` → path → method. */
export interface OperationPlace {
  readonly path: string;
  /** Lower case. */
  readonly method: string;
  readonly item: Placed;
  readonly operation: Placed;
}

export interface OperationTools {
  readonly document: OpenApiDocument;
  readonly inputs: SchemaCopier;
  readonly outputs: SchemaCopier;
  readonly limits: DocumentLimits;
}

/** Reads one operation; undefined where its author does not want it to be a tool. */
export function readOperation(place: OperationPlace, tools: OperationTools): UnnamedEndpoint | undefined {
  const { document, limits } = tools;
  const { path, method, item, operation } = place;
  const hints = hintsOf(document.root, item.value, operation.value);
  if (hints.disabled) return undefined;
  const parts = readParts(place, document);
  const input = logicalInput(parts.parameters, parts.body, tools.inputs);
  const output = outputSchema(
    document,
    parts.responses,
    below(operation.pointer, 'responses'),
    tools.outputs,
  );
  const summary = textMember(operation.value, 'summary') ?? textMember(item.value, 'summary');
  const title = hints.title ?? summary;
  const sourceName = textMember(operation.value, 'operationId');
  return {
    key: `${path}@${method}`,
    method,
    path,
    ...(sourceName === undefined ? {} : { sourceName }),
    ...(hints.name === undefined ? {} : { toolName: hints.name }),
    ...(title === undefined ? {} : { title }),
    description:
      hints.description ??
      textMember(operation.value, 'description') ??
      summary ??
      textMember(item.value, 'description') ??
      '',
    inputSchema: standalone(input.copied, tools.inputs, limits.inputSchemaLength, operation.pointer),
    ...(output === undefined
      ? {}
      : {
          outputSchema: standalone(
            output,
            tools.outputs,
            limits.outputSchemaLength,
            below(operation.pointer, 'responses'),
          ),
        }),
    parameters: input.parameters,
    safety: safetyOf(method, hints),
    lifecycleStatus: flagMember(operation.value, 'deprecated') ? 'deprecated' : 'active',
    tags: tagsOf(operation.value),
    scopes: scopesOf(document.root, operation.value),
    extras: extrasOf(place, document),
  };
}

function readParts({ path, item, operation }: OperationPlace, document: OpenApiDocument) {
  const placed = collectParameters(document, item, operation);
  const upgraded = document.isSwagger2 ? upgradeOperation(document, operation, placed) : operation.value;
  const declared = document.isSwagger2
    ? listMember(upgraded, 'parameters')
        .filter(isObject)
        .map((value) => readParameter(value, below(operation.pointer, 'parameters')))
    : placed.map(({ value, pointer }) => readParameter(value, pointer));
  const parameters: Parameter[] = [
    ...declared,
    ...undeclaredParameters(path, declared, operation.pointer, document),
  ];
  const body = readBody(document, member(upgraded, 'requestBody'), below(operation.pointer, 'requestBody'));
  return { parameters, body, responses: member(upgraded, 'responses') };
}

/** Texts; some write the tag itself where its name belongs. */
function tagsOf(operation: JsonObject): string[] {
  const names = listMember(operation, 'tags').map((tag) =>
    isObject(tag) ? textMember(tag, 'name') : textMember({ tag }, 'tag'),
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Contract 4: what the verb promises, unless a better source speaks. */
function safetyOf(method: string, { humanApprovalRequired }: Hints): ImportedEndpoint['safety'] {
  return { ...safetyOfVerb(method), ...(humanApprovalRequired && { humanApprovalRequired }) };
}

/** Servers named nearest, and documentation elsewhere, word for word. */
function extrasOf({ item, operation }: OperationPlace, document: OpenApiDocument): JsonObject {
  const named =
    member(operation.value, 'servers') ?? member(item.value, 'servers') ?? member(document.root, 'servers');
  const servers = document.isSwagger2 ? serversOf(document.root) : named;
  const kept: [string, Json | undefined][] = [
    ['servers', Array.isArray(servers) && servers.length > 0 ? servers.slice(0, 10) : undefined],
    ['externalDocs', member(operation.value, 'externalDocs')],
    ['callbacks', callbackNames(operation.value)],
  ];
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function callbackNames(operation: JsonObject): Json | undefined {
  const names = entriesOf(operation['callbacks'])
    .map(([name]) => name)
    .sort(byCodePoint);
  return names.length > 0 ? names : undefined;
}
