/**
 * Takes the arguments back out of a request, as the document says that they are written, and compares them with those that were
 * given. What is asked for by name comes from the routing; how it is written, from the document alone.
 */
import { isObject } from '../../src/documents/json.js';
import type { ParameterRoute } from '../../src/formats/format.js';
import { bodyFaults } from './decoded-body.js';
import type { DescribedParameter } from './described-operations.js';
import {
  asJson,
  decoded,
  type JudgedCall,
  pairFaults,
  pairsIn,
  plainSeparators,
  same,
  sameParts,
  sameTexts,
  separatorsOf,
  splitOnce,
  wrong,
  type WrittenPair,
  type WrongPart,
} from './written-texts.js';

/** All that is wrong with a request; empty where it is what the document says. */
export function wrongParts(call: JudgedCall): readonly WrongPart[] {
  const { operation, request } = call;
  const [path = '', query = ''] = splitOnce(request.address, '?');
  const written = decodedPath(operation.path, path);
  const [, fixed = ''] = splitOnce(operation.path.replace(/#.*$/s, ''), '?');
  const pairs = pairsIn(query, '&', decoded);
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const cookies = pairsIn(headers.get('cookie') ?? '', /;\s*/, decoded);
  const takenOut = operation.parameters.flatMap((parameter) => {
    const asked = askedFor(call, parameter);
    if (asked === undefined || asked === null)
      return parameter.required && !(parameter.in === 'path' && written === undefined)
        ? [wrong(`${parameter.in}: a required parameter was not sent`, parameter.name)]
        : [];
    if (parameter.in === 'path') return pathFaults(parameter, asked, written);
    if (parameter.in === 'header') return headerFaults(parameter, asked, headers);
    if (parameter.isWholeQuery) return wholeQueryFaults(parameter, asked, { query, pairs });
    return pairFaults(parameter, asked, parameter.in === 'query' ? pairs : cookies);
  });
  const inPath = fixed === '' ? [] : fixedFaults(fixed, pairs);
  return [
    ...(request.method.toLowerCase() === operation.method.toLowerCase()
      ? []
      : [wrong('method', request.method)]),
    ...(written === undefined
      ? [wrong('path: not that of the operation', `${path} for ${operation.path}`)]
      : []),
    ...takenOut,
    ...inPath,
    ...left('query', pairs),
    ...left('cookie', cookies),
    ...strangeHeaders(call, headers),
    ...bodyFaults(call, headers.get('content-type')),
  ];
}

const left = (place: string, pairs: readonly WrittenPair[]): readonly WrongPart[] =>
  pairs.filter(({ used }) => !used).map(({ name }) => wrong(`${place}: nothing of the operation`, name));

/** The value that was given for a parameter. */
function askedFor({ routes, args }: JudgedCall, parameter: DescribedParameter): unknown {
  const found = Object.entries(routes).find(([, route]) => isOf(route, parameter));
  return found !== undefined && Object.hasOwn(args, found[0]) ? args[found[0]] : undefined;
}

export function isOf(route: ParameterRoute, parameter: DescribedParameter): boolean {
  const name = parameter.isWholeQuery ? '' : parameter.name;
  const isHeader = parameter.in === 'header';
  const isSame = isHeader ? route.name.toLowerCase() === name.toLowerCase() : route.name === name;
  return route.in === parameter.in && isSame;
}

/** The values of a path by name; undefined where it is not of the template. */
function decodedPath(key: string, path: string): ReadonlyMap<string, string> | undefined {
  const [template = ''] = pathOf(key);
  const names: string[] = [];
  const pattern = template
    .split(/(\{(?:[^{}]|\{[^{}]*\})*\})/)
    .map((part, index) => {
      if (index % 2 === 0) return escaped(encodedLiteral(part));
      names.push(part);
      return '([^/?#]*)';
    })
    .join('');
  const found = new RegExp(`^${pattern}$`).exec(path);
  if (found === null) return undefined;
  return new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
}

/** A path key without its query and fragment. */
function pathOf(key: string): readonly string[] {
  const [, path = key] = /^((?:\{(?:[^{}]|\{[^{}]*\})*\}|[^?#])*)/.exec(key) ?? [];
  return [path];
}

const encodedLiteral = (text: string): string => new URL(`http://a/${text}`).pathname.slice(1);
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function pathFaults(
  { name, style, explode, mediaType }: DescribedParameter,
  asked: unknown,
  written: ReadonlyMap<string, string> | undefined,
): readonly WrongPart[] {
  const key = [...(written?.keys() ?? [])].find((each) => nameIn(each) === name || each === `{${name}}`);
  let text = key === undefined ? undefined : written?.get(key);
  if (text === undefined) return [];
  const prefix = style === 'label' ? '.' : style === 'matrix' ? ';' : '';
  if (!text.startsWith(prefix)) return [wrong(`path: style ${style}`, text)];
  text = text.slice(prefix.length);
  if (mediaType !== undefined) return same('path: content', asJson(decoded(text)), asked);
  if (style === 'matrix' && !explode) text = text.slice(name.length + 1);
  const separator = style === 'simple' || !explode ? ',' : style === 'label' ? '.' : ';';
  const parts = separatorsOf[style] === undefined ? text.split(separator) : text.split(separatorsOf[style]);
  const isNamed = style === 'matrix' && explode && !isObject(asked);
  const values = isNamed ? parts.map((part) => splitOnce(part, '=')[1] ?? '') : parts;
  return sameParts(`path: ${style}`, values, { asked, explode, decode: decoded });
}

const nameIn = (placeholder: string): string =>
  (/^\{[+#./;?&]?\s*([^{}:*]+?)\s*(?:\*|:.*)?\}$/s.exec(placeholder) ?? [])[1] ?? placeholder;

function headerFaults(
  { name, mediaType, explode, style }: DescribedParameter,
  asked: unknown,
  headers: ReadonlyMap<string, string>,
): readonly WrongPart[] {
  const text = headers.get(name.toLowerCase());
  if (text === undefined) return [wrong('header: not sent', name)];
  if (mediaType !== undefined) return same('header: content', asJson(text), asked);
  const isNested = typeof asked === 'object';
  const parts = isNested ? text.split(plainSeparators[style] ?? /,\s*/) : [text];
  return sameParts('header', parts, { asked, explode, decode: (each) => each });
}

function wholeQueryFaults(
  { mediaType = '' }: DescribedParameter,
  asked: unknown,
  { query, pairs }: { readonly query: string; readonly pairs: readonly WrittenPair[] },
): readonly WrongPart[] {
  for (const pair of pairs) pair.used = true;
  if (/json/i.test(mediaType)) return same('query: whole', asJson(decoded(query)), asked);
  if (!isObject(asked)) return sameTexts('query: whole', [query], [asked]);
  const members = pairs.flatMap(({ name, value }) => [
    name.replaceAll('+', ' '),
    decoded(value.replaceAll('+', ' ')),
  ]);
  return sameTexts('query: whole', members, Object.entries(asked).flat());
}

/** What a path key has of a query is in every request. */
function fixedFaults(fixed: string, pairs: readonly WrittenPair[]): readonly WrongPart[] {
  return pairsIn(fixed, '&', decoded).flatMap(({ name, value }) => {
    const isFilled = value.includes('{');
    const found = pairs.find((pair) => pair.name === name && (isFilled || pair.value === value));
    if (found === undefined) return isFilled ? [] : [wrong('query: that of the path was not sent', name)];
    found.used = true;
    return [];
  });
}

const ownHeaders = new Set(['accept', 'content-type', 'cookie']);

function strangeHeaders(
  { operation }: JudgedCall,
  headers: ReadonlyMap<string, string>,
): readonly WrongPart[] {
  const known = new Set(
    operation.parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()),
  );
  return [...headers.keys()]
    .filter((name) => !ownHeaders.has(name) && !known.has(name))
    .map((name) => wrong('header: nothing of the operation', name));
}
