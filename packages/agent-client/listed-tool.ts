/** Which tool that a gateway lists is the one of the catalog. Pure. */
import type { CatalogTool } from './catalog-document.js';
import type { LiveTool } from './gateway.js';

export type LiveTools = ReadonlyMap<string, LiveTool>;

type Named = Pick<CatalogTool, 'name' | 'endpoint'>;

/** What the catalog calls a tool. */
const catalogName = /^[A-Za-z0-9_-]{1,64}$/;
/** Ends the endpoint key of what a server of MCP calls by name. */
const called = '@call';

/**
 * Names by which a gateway may list a tool: the catalog's own; and that of the server behind it where it is none that the
 * catalog gives (`get.account` is published as `get_account`). A name that it could give may be another tool's.
 */
export function listedNames({ name, endpoint = '' }: Named): readonly string[] {
  const own = endpoint.endsWith(called) ? endpoint.slice(0, -called.length) : name;
  return own === name || own === '' || catalogName.test(own) ? [name] : [name, own];
}

export function listedTool(tool: Named, live: LiveTools): LiveTool | undefined {
  const name = listedNames(tool).find((each) => live.has(each));
  return name === undefined ? undefined : live.get(name);
}
