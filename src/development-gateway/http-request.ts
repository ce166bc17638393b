/** Makes the request of an endpoint of a tool's arguments. */
import { isObject } from '../documents/json.js';
import type { ParameterRoute, RouterEndpoint } from '../gateways/shared.js';
import { type Arguments, CallFault, invalidArgument } from './call-result.js';

/** What of an endpoint its request is made of. */
export type Requested = Pick<RouterEndpoint, 'path' | 'method' | 'parameters'> & {
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An argument with its place in the request. */
interface Placed {
  readonly argument: string;
  readonly route: ParameterRoute;
  readonly value: unknown;
}

/** Headers that the gateway or HTTP itself sets. */
const ownHeaders =
  /^(host|authorization|cookie|connection|keep-alive|te|trailer|upgrade|expect|content-.*|transfer-.*|proxy-.*)$/i;

/**
 * Makes the request for arguments that fit the input schema. `base` is the tool's `targetHost`: the path goes below
 * it. Throws CallFault where an argument can't go where it belongs.
 */
export async function httpRequest(tool: Requested, base: URL, args: Arguments): Promise<HttpRequest> {
  const { parameters } = tool;
  const placed = Object.entries(args)
    .map(([argument, value]): Placed => {
      return { argument, route: parameters[argument] ?? { in: 'body', name: argument }, value };
    })
    // Null exists in JSON only.
    .filter(({ route, value }) => value !== null || route.in === 'body');
  const halved = placed.find(({ route, value }) => route.in !== 'body' && holdsHalf(value));
  if (halved !== undefined)
    throw invalidArgument(
      halved.argument,
      'holds half a character (a lone surrogate), which no address can hold: leave it out',
    );
  const at = (place: string) => placed.filter(({ route }) => route.in === place);
  const body = await bodyOf(tool, at('body'));
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

function addressOf(
  tool: Requested,
  base: URL,
  { path, query }: { readonly path: readonly Placed[]; readonly query: readonly Placed[] },
): URL {
  const filled = tool.path.replaceAll(/\{[+#./;?&]?([^{}*]+)\*?\}/g, (_, name: string) => {
    const found = path.find(({ route }) => route.name === name.trim());
    if (found === undefined) throw invalidArgument(name, 'is missing: the path needs it');
    return pathText(found.route, found.value);
  });
  refuseOddSteps(stepsOf(tool.path), stepsOf(filled));
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/$/, '') + filled;
  const pairs = query.filter(({ route }) => route.name !== '').flatMap(queryPairs);
  const whole = query.filter(({ route }) => route.name === '').map(({ value }) => wholeQuery(value));
  const text = [
    ...pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    ...whole,
  ];
  url.search = [url.search.slice(1), ...text].filter((part) => part !== '').join('&');
  return url;
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

function queryPairs({ route, value }: Placed): Pair[] {
  return route.mediaType === undefined ? pairsOf(route, value) : [[route.name, JSON.stringify(value)]];
}

/** Writes a parameter that is the whole query (OpenAPI 3.2). */
function wholeQuery(value: unknown): string {
  if (!isObject(value)) return textOf(value);
  return formText(Object.entries(value).map(([name, item]) => [name, textOf(item)]));
}

function headersOf(headers: readonly Placed[], cookies: readonly Placed[]): Record<string, string> {
  const entries = headers.map(({ argument, route, value }): Pair => {
    const text = simpleText(route, value);
    if (ownHeaders.test(route.name))
      throw invalidArgument(argument, 'is a header that only the gateway sets');
    if (!/^[\t\x20-\x7e]*$/.test(text)) throw invalidArgument(argument, 'does not fit into a header');
    return [route.name.toLowerCase(), text];
  });
  const crumbs = cookies
    .flatMap(({ route, value }) => pairsOf(route, value))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return Object.fromEntries(crumbs.length === 0 ? entries : [...entries, ['cookie', crumbs.join('; ')]]);
}

interface Body {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes the body; undefined where no argument goes there. */
async function bodyOf(tool: Requested, members: readonly Placed[]): Promise<Body | undefined> {
  const [first] = members;
  if (first === undefined) return undefined;
  const mediaType = mediaTypeOf(tool);
  const whole = members.find(({ route }) => route.name === '');
  const value =
    whole === undefined
      ? Object.fromEntries(members.map(({ route, value: member }) => [route.name, member]))
      : whole.value;
  const headers = { 'content-type': mediaType };
  if (/^(application|text)\/([\w.-]+\+)?json\b/i.test(mediaType))
    return { content: JSON.stringify(value), headers };
  if (/^application\/x-www-form-urlencoded/i.test(mediaType)) {
    const content = formText(members.flatMap(({ route, value: item }) => pairsOf(route, item)));
    return { content, headers };
  }
  if (/^multipart\//i.test(mediaType)) return multipart(members);
  return { content: isBinary(tool, whole) ? Buffer.from(textOf(value), 'base64') : textOf(value), headers };
}

function formText(pairs: readonly Pair[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of pairs) form.append(name, value);
  return form.toString();
}

/** Media type of the body; JSON where any is allowed. */
function mediaTypeOf({ parameters }: Requested): string {
  const route = Object.values(parameters).find((each) => each.in === 'body');
  return route?.mediaType === undefined || route.mediaType.includes('*')
    ? 'application/json'
    : route.mediaType;
}

/** Writes a multipart body by FormData. */
async function multipart(members: readonly Placed[]): Promise<Body> {
  const form = new FormData();
  for (const { route, value } of members) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(route.name, textOf(item));
  }
  const written = new Response(form);
  const content = new Uint8Array(await written.arrayBuffer());
  return { content, headers: { 'content-type': written.headers.get('content-type') ?? '' } };
}

/** Whether the argument is binary, which comes in base64. */
function isBinary({ inputSchema }: Requested, whole: Placed | undefined): boolean {
  const { properties } = inputSchema;
  const schema = isObject(properties) ? properties[whole?.argument ?? ''] : undefined;
  return isObject(schema) && schema['format'] === 'binary';
}

/** A name and a value, neither of them encoded. */
type Pair = readonly [name: string, value: string];

/** Separators of a list in a query, by style. */
const joints: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** Writes a value as pairs of a query, a form, or a cookie; an empty list as none. */
function pairsOf(
  { name, style = 'form', explode = style === 'form' }: ParameterRoute,
  value: unknown,
): Pair[] {
  if (Array.isArray(value)) {
    if (explode) return value.map((item): Pair => [name, textOf(item)]);
    return value.length === 0 ? [] : [[name, value.map(textOf).join(joints[style] ?? ',')]];
  }
  if (!isObject(value)) return [[name, textOf(value)]];
  const members = Object.entries(value);
  if (style === 'deepObject') return members.map(([key, item]): Pair => [`${name}[${key}]`, textOf(item)]);
  if (explode) return members.map(([key, item]): Pair => [key, textOf(item)]);
  return [[name, members.flatMap(([key, item]) => [key, textOf(item)]).join(joints[style] ?? ',')]];
}

/** Writes a value for a header, or with `encode` for a path. */
function simpleText(
  { explode = false }: ParameterRoute,
  value: unknown,
  encode: (text: string) => string = (text) => text,
): string {
  return partsOf(value, explode, encode).join(',');
}

/** Writes a value for a path: after `.` in the style `label`, after `;name=` in `matrix`. */
function pathText(route: ParameterRoute, value: unknown): string {
  const { name, style = 'simple', explode = false } = route;
  if (style === 'label') return `.${partsOf(value, explode, encodeURIComponent).join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return simpleText(route, value, encodeURIComponent);
  const parts = partsOf(value, explode, encodeURIComponent);
  if (!explode) return `;${encodeURIComponent(name)}=${parts.join(',')}`;
  const named = isObject(value) ? parts : parts.map((part) => `${encodeURIComponent(name)}=${part}`);
  return named.map((part) => `;${part}`).join('');
}

function partsOf(value: unknown, explode: boolean, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item)));
  if (!isObject(value)) return [encode(textOf(value))];
  const members = Object.entries(value).map(([key, item]) => [encode(key), encode(textOf(item))]);
  return explode ? members.map((member) => member.join('=')) : members.flat();
}

function holdsHalf(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => holdsHalf(name) || holdsHalf(item));
}

/** Writes nested values as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
