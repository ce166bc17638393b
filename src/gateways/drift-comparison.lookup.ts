import type { Sql } from '../eventsourcing/sql.js';
import type { ListedTool } from '../importers/import.port.js';
import { compareWithGateway, type DriftItem, type LiveTool } from './drift.js';
import { catalogToolsOf, type CatalogTool } from './drift.lookup.js';
import type { GatewayFacts } from './gateway.lookup.js';
import { callKey, nameOf, ToolMatch } from './tool-match.js';
import { routeOf } from './tool-route.js';

/** A gateway beside the catalog, as it stood when it was looked at. */
export interface Drift {
  readonly live: readonly LiveTool[];
  readonly exposed: readonly CatalogTool[];
  readonly items: readonly DriftItem[];
}

/** Compares what a gateway listed with the catalog as it is now. */
export async function compare(
  sql: Sql,
  hostId: string,
  gateway: GatewayFacts,
  offers: readonly ListedTool[],
): Promise<Drift> {
  const names = offers.map(({ facts }) => nameOf(facts));
  const routes = offers.flatMap(({ facts }) => routeOf(facts) ?? []);
  const endpoints = [...routes, ...names.map(callKey)];
  const tools = await catalogToolsOf(sql, hostId, gateway, { names, endpoints });
  const match = new ToolMatch(tools);
  const live = offers.map(({ facts, digest }) => ({
    ...{ name: nameOf(facts), facts, digest },
    known: match.of(facts),
  }));
  const exposed = tools.filter(({ exposed: selected }) => selected);
  return { live, exposed, items: await compareWithGateway(live, exposed, gateway.maxSensitivityTier) };
}
