import {
  below,
  byCodePoint,
  entriesOf,
  flagMember,
  isObject,
  listMember,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { DocumentLimits } from '../../documents/limits.js';
import { safetyOfVerb, type ScopeFacts } from '../endpoint-facts.js';
import type { DescribedOperation } from '../format.js';
import type { SchemaCopier } from '../schema/copier.js';
import { standalone } from '../schema/standalone.js';
import { outputSchema, readBody } from './content.js';
import { serversOf, upgradeOperation, type OpenApiDocument, type Placed } from './document.js';
import { logicalInput } from './input-schema.js';
import { collectParameters, declaredNames, readParameter, undeclaredParameters } from './parameters.js';
import { callablePath } from './path-template.js';

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
export function readOperation(place: OperationPlace, tools: OperationTools): DescribedOperation | undefined {
  const { document, limits, inputs, outputs } = tools;
  const { method, item, operation } = place;
  const hints = hintsOf(document.root, item.value, operation.value);
  if (hints.disabled) return undefined;
  const { path, parameters, body, responses } = readParts(place, document);
  const input = logicalInput(parameters, body, inputs);
  const answersAt = below(operation.pointer, 'responses');
  const output = outputSchema(document, responses, answersAt, outputs);
  const text = (name: string) => textMember(operation.value, name);
  const summary = text('summary') ?? textMember(item.value, 'summary');
  const described = hints.description ?? text('description') ?? summary;
  return {
    // By the key as it is written: that of another pattern is another endpoint.
    endpoint: `${place.path}@${method}`,
    pointer: place.operation.pointer,
    toolName: hints.name,
    facts: {
      method,
      path,
      sourceName: text('operationId'),
      title: hints.title ?? summary,
      description: described ?? textMember(item.value, 'description'),
      inputSchema: standalone(input.copied, inputs, limits.inputSchemaLength, operation.pointer),
      outputSchema: output && standalone(output, outputs, limits.outputSchemaLength, answersAt),
      routing: { parameters: input.routes },
      // What the verb promises, unless a better source speaks.
      safety: {
        ...safetyOfVerb(method),
        ...(hints.isConsequential && { humanApprovalRequired: true }),
      },
      lifecycleStatus: flagMember(operation.value, 'deprecated') ? 'deprecated' : 'active',
      tags: tagsOf(operation.value),
      scopes: scopesOf(document.root, operation.value),
      extras: extrasOf(place, document),
    },
  };
}

function readParts({ path: key, method, item, operation }: OperationPlace, document: OpenApiDocument) {
  const placed = collectParameters(document, item, operation);
  const upgraded = document.isSwagger2 ? upgradeOperation(document, operation, placed) : operation.value;
  const declared = document.isSwagger2
    ? listMember(upgraded, 'parameters')
        .filter(isObject)
        .map((value) => readParameter({ value, pointer: below(operation.pointer, 'parameters') }, document))
    : placed.map((parameter) => readParameter(parameter, document));
  const path = callablePath(key, declaredNames(declared));
  const undeclared = undeclaredParameters(path, declared, operation.pointer, document);
  const bodyAt = below(operation.pointer, 'requestBody');
  const body = readBody(document, member(upgraded, 'requestBody'), bodyAt);
  if (body !== undefined && ['get', 'head', 'trace'].includes(method)) {
    const detail = `A ${method.toUpperCase()} request has a body here: HTTP allows it, but servers and what is before them may ignore or refuse it.`;
    document.warnings.warn('body_unusual', bodyAt, detail);
  }
  return { path, parameters: [...declared, ...undeclared], body, responses: member(upgraded, 'responses') };
}

/**
 * Reads what authors say about tools made of their operations: `x-speakeasy-mcp` (`{disabled, name, title,
 * description}`) of an operation, and `x-mcp` (`true`, `false` or the same members, with `enabled` for its opposite) of
 * the operation, else of its path, else of the document; and `x-openai-isConsequential: true` of an operation. That it is
 * `false` clears nothing.
 */
function hintsOf(root: JsonObject, item: JsonObject, operation: JsonObject) {
  const speakeasy = member(operation, 'x-speakeasy-mcp');
  const own = member(operation, 'x-mcp');
  const switches = [operation, item, root].map((holder) => member(holder, 'x-mcp'));
  const nearest = switches.find((hint) => hint !== undefined);
  const text = (name: string) => textMember(speakeasy, name) ?? textMember(own, name);
  return {
    disabled:
      member(speakeasy, 'disabled') === true ||
      nearest === false ||
      member(nearest, 'disabled') === true ||
      member(nearest, 'enabled') === false,
    ...{ name: text('name'), title: text('title'), description: text('description') },
    isConsequential: member(operation, 'x-openai-isConsequential') === true,
  };
}

/** Reads texts; some write the tag itself where its name belongs. */
function tagsOf(operation: JsonObject): string[] {
  const names = listMember(operation, 'tags').map((tag) =>
    isObject(tag) ? textMember(tag, 'name') : textMember({ tag }, 'tag'),
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Keeps the nearest servers and external documentation as they are written. */
function extrasOf({ item, operation }: OperationPlace, document: OpenApiDocument): JsonObject {
  const named =
    member(operation.value, 'servers') ?? member(item.value, 'servers') ?? member(document.root, 'servers');
  const servers = document.isSwagger2 ? serversOf(document.root) : named;
  const callbacks = entriesOf(operation.value['callbacks']).map(([name]) => name);
  const kept: [string, Json | undefined][] = [
    ['servers', Array.isArray(servers) && servers.length > 0 ? servers.slice(0, 10) : undefined],
    ['externalDocs', member(operation.value, 'externalDocs')],
    ['callbacks', callbacks.length > 0 ? callbacks.sort(byCodePoint) : undefined],
  ];
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/**
 * Reads the security requirements of an operation, else of the document, each alternative once. They are shown and
 * handed to gateways; nothing is decided by them here.
 */
function scopesOf(root: JsonObject, operation: JsonObject): ScopeFacts[][] {
  const requirements = member(operation, 'security') ?? member(root, 'security');
  if (!Array.isArray(requirements)) return [];
  const sets = requirements.filter(isObject).map((requirement) =>
    entriesOf(requirement)
      .map(([scheme, list]) => readScheme(scheme, list, root))
      .toSorted((a, b) => (a.scheme < b.scheme ? -1 : 1)),
  );
  return [...new Map(sets.map((needed) => [JSON.stringify(needed), needed])).values()];
}

function readScheme(scheme: string, list: Json, root: JsonObject): ScopeFacts {
  const named = Array.isArray(list) ? list.filter((scope) => typeof scope === 'string') : [];
  const scopes = [...new Set(named.filter((scope) => scope.trim() !== ''))].sort();
  const known = descriptionsOf(scheme, root);
  const described = scopes.map((scope) => [scope, known.get(scope) ?? '']).filter(([, text]) => text !== '');
  const descriptions = Object.fromEntries(described) as Record<string, string>;
  return { scheme, scopes, ...(described.length > 0 && { descriptions }) };
}

/** OpenAPI 3 describes scopes by flow, 2.0 by scheme. */
function descriptionsOf(scheme: string, root: JsonObject): ReadonlyMap<string, string> {
  const schemes = objectMember(member(root, 'components'), 'securitySchemes') ?? root['securityDefinitions'];
  const found = objectMember(schemes, scheme);
  const flows = entriesOf(objectMember(found, 'flows')).map(([, flow]) => flow);
  const described = [found, ...flows].flatMap((holder) => {
    const scopes = objectMember(holder, 'scopes') ?? {};
    return Object.keys(scopes).map((scope) => [scope, textMember(scopes, scope)] as const);
  });
  return new Map(described.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
