/** Makes the request of an endpoint of a tool's arguments. */
import { isObject } from '../documents/json.js';
import { isReservedHeader, splitQuery } from '../formats/shared.js';
import { type Arguments, CallFault, invalidArgument } from './call-result.js';
import {
  contentText,
  hasLostComma,
  headerText,
  inCookie,
  inForm,
  inQuery,
  isJson,
  type Pair,
  pairsOf,
  pathText,
  textOf,
} from './parameter-text.js';
import { type Placed, placedArguments, type Requested } from './placed-argument.js';
import { type Body, bodyOf } from './request-body.js';

interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body['content'];
}

/** Headers that the gateway or HTTP itself sets. */
const isOwnHeader = (name: string): boolean =>
  isReservedHeader(name) || /^(authorization|content-type)$/i.test(name);

/**
 * Makes the request for arguments that fit the input schema. `base` is the tool's `targetHost`: the path goes below
 * it. Throws CallFault where an argument can't go where it belongs.
 */
export function httpRequest(tool: Requested, base: URL, args: Arguments): HttpRequest {
  const placed = placedArguments(tool, args);
  const halved = placed.find(({ route, value }) => route.in !== 'body' && holdsHalf(value));
  if (halved !== undefined)
    throw invalidArgument(
      halved.argument,
      'holds half a character (a lone surrogate), which no address can hold: leave it out',
    );
  const at = (place: string) => placed.filter(({ route }) => route.in === place).map(withContent);
  for (const each of placed.filter(({ route }) => ['query', 'cookie'].includes(route.in)))
    refuseUnsaid(tool, each);
  const body = bodyOf(
    tool,
    placed.filter(({ route }) => route.in === 'body'),
  );
  return {
    url: addressOf(tool, base, { path: at('path'), query: at('query') }),
    method: tool.method.toUpperCase(),
    headers: {
      accept: 'application/json, */*;q=0.5',
      ...headersOf(at('header'), at('cookie')),
      ...body?.headers,
    },
    ...(body === undefined ? {} : { body: body.content }),
  };
}

/** The value of a parameter with a media type, written in it. */
function withContent(placed: Placed): Placed {
  const { route, value } = placed;
  const isForm = route.name === '' && route.mediaType !== undefined && !isJson(route.mediaType);
  return route.mediaType === undefined || isForm
    ? placed
    : { ...placed, value: contentText(route.mediaType, value) };
}

function addressOf(
  tool: Requested,
  base: URL,
  { path, query }: { readonly path: readonly Placed[]; readonly query: readonly Placed[] },
): URL {
  const fill = (template: string): string =>
    template.replaceAll(/\{[+#./;?&]?([^{}*]+)\*?\}/g, (_, name: string) => {
      const found = path.find(({ route }) => route.name === name.trim());
      if (found === undefined) throw invalidArgument(name, 'is missing: the path needs it');
      return pathText(found.route, found.value);
    });
  const [template, fixed = ''] = splitQuery(tool.path);
  const filled = fill(template);
  refuseOddSteps(stepsOf(template), stepsOf(filled));
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/$/, '') + filled;
  const named = query.filter(({ route }) => route.name !== '');
  const pairs = named.flatMap((each) => joinedPairs(each));
  const whole = query.filter(({ route }) => route.name === '').map(wholeQuery);
  const others = fill(fixed)
    .split('&')
    .filter((pair) => isUnsaid(pair, named));
  url.search = [url.search.slice(1), ...others, ...pairs, ...whole].filter((part) => part !== '').join('&');
  return url;
}

/** Tells whether no argument says what a pair of the path's own query says. Throws CallFault where one says something else. */
function isUnsaid(pair: string, query: readonly Placed[]): boolean {
  const [[name = '', value] = []] = new URLSearchParams(pair);
  const saying = query.find(({ route }) => route.name === name);
  const said = new URLSearchParams(saying && joinedPairs(saying).join('&')).getAll(name);
  if (saying === undefined || said.length === 0) return true;
  if (said.includes(value ?? '')) return false;
  throw invalidArgument(
    saying.argument,
    `is another than ${JSON.stringify(value)}, which the path itself has for ${name}`,
  );
}

/** An empty list, or an object without members, is nothing in an address: one that is required must not be left out so. */
function refuseUnsaid({ inputSchema: { required } }: Requested, { argument, route, value }: Placed): void {
  const isRequired = Array.isArray(required) && required.includes(argument);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (isRequired && isEmpty && route.mediaType === undefined)
    throw invalidArgument(
      argument,
      'is required and empty, which an address can’t say: give something in it',
    );
}

/** As a URL is read: a backslash is a slash, and tabs and line ends are nothing. */
function stepsOf(path: string): readonly string[] {
  return path.replaceAll(/[\t\n\r]/g, '').split(/[/\\]/);
}

/** Refuses segments of dots, and empty ones that the template has not: they would lead to another endpoint. */
function refuseOddSteps(template: readonly string[], filled: readonly string[]): void {
  const isOdd = (step: string, index: number): boolean =>
    step === '' ? template[index] !== '' : /^(\.|%2e)+$/i.test(step);
  if (!filled.some(isOdd)) return;
  const detail =
    'The path would lead to another endpoint: a part of it, or an argument in it, is empty or made of dots alone.';
  throw new CallFault('invalid_arguments', detail);
}

const joinedPairs = ({ route, value }: Placed, writing = inQuery): readonly string[] =>
  pairsOf(route, value, writing).map((pair) => pair.join('='));

/** Writes a parameter that is the whole query (OpenAPI 3.2): an object as a form, JSON encoded as one text, and other texts as they are. */
function wholeQuery({ route, value }: Placed): string {
  if (route.mediaType !== undefined && isJson(route.mediaType)) return encodeURIComponent(textOf(value));
  if (!isObject(value)) return textOf(value);
  const pairs = Object.entries(value).flatMap(([name, item]) => pairsOf({ name }, textOf(item), inForm));
  return pairs.map((pair) => pair.join('=')).join('&');
}

function headersOf(headers: readonly Placed[], cookies: readonly Placed[]): Record<string, string> {
  const entries = headers.map(({ argument, route, value }): Pair => {
    if (hasLostComma(route, value))
      throw invalidArgument(
        argument,
        'holds a comma within an item, which a header can’t tell from one between items',
      );
    const text = headerText(route, value);
    if (isOwnHeader(route.name)) throw invalidArgument(argument, 'is a header that only the gateway sets');
    if (!/^[\t\x20-\x7e]*$/.test(text)) throw invalidArgument(argument, 'does not fit into a header');
    return [route.name.toLowerCase(), text];
  });
  const crumbs = cookies.flatMap((each) => joinedPairs(each, inCookie));
  return Object.fromEntries(crumbs.length === 0 ? entries : [...entries, ['cookie', crumbs.join('; ')]]);
}

function holdsHalf(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => holdsHalf(name) || holdsHalf(item));
}
