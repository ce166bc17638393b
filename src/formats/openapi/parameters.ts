import {
  below,
  flagMember,
  listMember,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { ParameterRoute } from '../format.js';
import { isHeaderName, isReservedHeader } from '../reserved-headers.js';
import { choose } from './content.js';
import type { OpenApiDocument, Placed } from './document.js';
import { examplesOf } from './examples.js';
import { type DeclaredNames, templateNames } from './path-template.js';

export type Location = 'path' | 'query' | 'header' | 'cookie';

/** One parameter of an operation that is no body. */
export interface Parameter {
  readonly name: string;
  readonly location: Location;
  readonly required: boolean;
  /** As the document has it. */
  readonly schema: Json;
  readonly pointer: string;
  readonly route: ParameterRoute;
  readonly notes: JsonObject;
}

const LOCATIONS = new Set(['path', 'query', 'header', 'cookie', 'querystring', 'body', 'formData']);

/** OpenAPI 3: parameters of these names are not parameters; the client sets them. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

/**
 * The parameters of an operation with those of its path, references followed; one of the operation replaces the one of the
 * path with the same name and place (of headers in any case). What is no parameter is left out with a warning.
 */
export function collectParameters(document: OpenApiDocument, item: Placed, operation: Placed): Placed[] {
  const collected = new Map<string, Placed>();
  for (const { value, pointer } of [item, operation]) {
    const given = value['parameters'] ?? [];
    if (!Array.isArray(given)) {
      const detail = 'The parameters are no list; they were left out.';
      document.warnings.warn('part_dropped', below(pointer, 'parameters'), detail);
    }
    for (const [index, parameter] of listMember(value, 'parameters').entries()) {
      const part = document.part(parameter, below(pointer, 'parameters', index), 'parameter');
      const key = part && keyOf(part, document);
      if (part && key !== undefined) collected.set(key, part);
    }
  }
  return [...collected.values()];
}

function keyOf({ value, pointer }: Placed, document: OpenApiDocument): string | undefined {
  const location = textMember(value, 'in') ?? '';
  const name = textMember(value, 'name') ?? '';
  if (!LOCATIONS.has(location) || (name === '' && location !== 'body')) {
    const detail = 'A parameter needs a name, and `in` with a known place; it was left out.';
    document.warnings.warn('parameter_dropped', pointer, detail);
    return undefined;
  }
  if (location === 'body') return 'body';
  if (location === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  if (location === 'header' && (isReservedHeader(name) || !isHeaderName(name))) {
    const detail = isHeaderName(name)
      ? `HTTP itself sets the header ${name}, and no caller may; it was left out.`
      : `No header can have the name ${JSON.stringify(name)}; it was left out.`;
    document.warnings.warn('parameter_dropped', pointer, detail);
    return undefined;
  }
  return JSON.stringify([location, location === 'header' ? name.toLowerCase() : name]);
}

/** Reads a parameter as OpenAPI 3 writes it. */
export function readParameter({ value, pointer }: Placed, document: OpenApiDocument): Parameter {
  const location = value['in'] === 'querystring' ? 'query' : (value['in'] as Location);
  const name = value['name'] as string;
  const content = objectMember(value, 'content');
  const mediaType = content === undefined ? undefined : choose(content);
  const media = content && mediaType !== undefined ? document.media(content, mediaType, pointer) : undefined;
  const described = mediaType === undefined ? { value, pointer } : media;
  return {
    name: argumentName(name),
    location,
    required: location === 'path' || flagMember(value, 'required'),
    schema: member(described?.value, 'schema') ?? {},
    pointer: below(described?.pointer ?? pointer, 'schema'),
    route: {
      in: location,
      name: value['in'] === 'querystring' ? '' : name,
      ...serialization(value, location),
      ...(mediaType !== undefined && { mediaType }),
    },
    notes: notesOf(value, [{ value, pointer }, ...(media ? [media] : [])], document),
  };
}

/** No document and no body of a request may have a member of that name. */
const argumentName = (name: string): string => (name === '__proto__' ? 'proto' : name);

/** The names by which an operation declares parameters. */
export function declaredNames(parameters: readonly Parameter[]): DeclaredNames {
  const named = (place: Location) =>
    new Set(parameters.filter(({ location }) => location === place).map(({ route }) => route.name));
  return { path: named('path'), query: named('query') };
}

const DEFAULT_STYLE = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** What differs from the default of the place. */
function serialization(value: JsonObject, location: Location): Pick<ParameterRoute, 'style' | 'explode'> {
  const style = textMember(value, 'style') ?? DEFAULT_STYLE[location];
  const { explode } = value;
  return {
    ...(style !== DEFAULT_STYLE[location] && { style }),
    ...(typeof explode === 'boolean' && explode !== (style === 'form') && { explode }),
  };
}

/** What the parameter says beside its schema. */
function notesOf(value: JsonObject, holders: readonly Placed[], document: OpenApiDocument): JsonObject {
  const description = textMember(value, 'description');
  const examples = examplesOf(holders, document);
  return {
    ...(description !== undefined && { description }),
    ...(flagMember(value, 'deprecated') && { deprecated: true }),
    ...(examples.length > 0 && { examples }),
  };
}

/** Adds parameters that the path names and nobody declares: required texts. */
export function undeclaredParameters(
  path: string,
  declared: readonly Parameter[],
  pointer: string,
  { warnings }: OpenApiDocument,
): Parameter[] {
  const known = declaredNames(declared).path;
  const names = templateNames(path);
  for (const name of [...known].filter((name) => !names.includes(name)))
    warnings.warn('path_parameter_unused', pointer, `The path has no place for its parameter "${name}".`);
  const undeclared = names.filter((name) => !known.has(name));
  for (const name of undeclared) {
    const detail = `The path parameter "${name}" is declared nowhere; it was added as a required text.`;
    warnings.warn('path_parameter_undeclared', pointer, detail);
  }
  return undeclared.map((name) => {
    const route = { in: 'path', name } as const;
    const said = { name: argumentName(name), location: 'path', required: true } as const;
    return { ...said, schema: { type: 'string' }, pointer, route, notes: {} };
  });
}
