/** How OpenAPI writes the value of a parameter: RFC 6570 by the names of `style` and `explode`. Pure. */
import type { ParameterRoute } from '../gateways/mcp-router/router-tool.js';

/** A name and a value, neither of them encoded. */
export type Pair = readonly [name: string, value: string];

/** What joins the values of a list in a query, by style. */
const joints: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** A value as the pairs of a query, a form, or a cookie. An empty list says nothing. */
export function pairsOf(
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

/** A value in a header, as it is; `encode` makes it fit into a path. */
export function simpleText(
  { explode = false }: ParameterRoute,
  value: unknown,
  encode: (text: string) => string = (text) => text,
): string {
  return partsOf(value, explode, encode).join(',');
}

/** A value in a path, encoded: after `.` for the style `label`, after `;name=` for `matrix`. */
export function pathText(route: ParameterRoute, value: unknown): string {
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

/** What lies deeper than a style reaches is written as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
