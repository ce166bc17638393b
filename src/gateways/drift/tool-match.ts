/** Finds the tool of the catalog that a gateway lists. Pure. */
import { isObject } from '../../documents/json.js';
import type { EndpointFacts } from '../../formats/shared.js';
import type { CatalogTool } from './drift.js';

/**
 * The endpoint key that the metadata of a listed tool names: a member of `_meta`, or `_meta` itself, with `endpoint`
 * (`/accounts/{accountNo}@get`), or with `path` and `method`.
 */
export function routeOf({ extras }: EndpointFacts): string | undefined {
  const meta = extras?.['_meta'];
  if (!isObject(meta)) return undefined;
  for (const place of [meta, ...Object.values(meta)]) {
    const key = isObject(place) ? keyIn(place) : undefined;
    if (key !== undefined) return key;
  }
  return undefined;
}

function keyIn({ endpoint, path, method }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof endpoint === 'string' && /^.+@[a-z]+$/.test(endpoint)) return endpoint;
  if (typeof path !== 'string' || typeof method !== 'string') return undefined;
  return `${path}@${method.toLowerCase()}`;
}

const called = '@call';
/** The endpoint key of what a server of MCP calls by name. */
export const callKey = (name: string): string => name + called;

export const nameOf = ({ path }: EndpointFacts): string => path ?? '';

type Candidate = Pick<CatalogTool, 'name' | 'endpoint' | 'exposed'>;

/** Tools of the catalog, found by what a gateway says of one: a gateway may list thousands. */
export class ToolMatch<Tool extends Candidate> {
  private readonly namesakes = new Map<string, Tool[]>();
  private readonly byEndpoint = new Map<string, Tool[]>();

  /** @param tools of several that fit, the first counts */
  constructor(tools: readonly Tool[]) {
    for (const tool of tools) {
      const { name, endpoint } = tool;
      const listed = endpoint?.endsWith(called) === true ? endpoint.slice(0, -called.length) : name;
      for (const each of new Set([name, listed])) add(this.namesakes, each, tool);
      if (endpoint !== null) add(this.byEndpoint, endpoint, tool);
    }
  }

  /**
   * Finds the tool that is exposed here under the name; else the one whose endpoint the metadata names; else one of the same
   * name.
   */
  of(facts: EndpointFacts): Tool | undefined {
    const namesakes = this.namesakes.get(nameOf(facts)) ?? [];
    return namesakes.find(({ exposed }) => exposed) ?? this.routed(routeOf(facts)) ?? namesakes[0];
  }

  /** Several APIs may have the path: then it is the one that is exposed here, if only one is. */
  private routed(route: string | undefined): Tool | undefined {
    const all = route === undefined ? [] : (this.byEndpoint.get(route) ?? []);
    const here = all.filter(({ exposed }) => exposed);
    const candidates = here.length > 0 ? here : all;
    return candidates.length === 1 ? candidates[0] : undefined;
  }
}

function add<Tool>(lists: Map<string, Tool[]>, key: string, tool: Tool): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [tool]);
  else list.push(tool);
}
