import type { Sql } from '../eventsourcing/sql.js';
import type { LayerOffer } from '../importers/tools-list.port.js';
import { compareWithGateway, type DriftItem, type LiveTool } from './drift.js';
import { catalogToolsOf, type CatalogTool } from './drift.lookup.js';
import type { GatewayFacts } from './gateway.lookup.js';
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
  offers: readonly LayerOffer[],
): Promise<Drift> {
  const names = offers.map(nameOf);
  const routes = offers.flatMap(({ facts }) => routeOf(facts) ?? []);
  const endpoints = [...routes, ...names.map(callKey)];
  const tools = await catalogToolsOf(sql, hostId, gateway, { names, endpoints });
  const live = offers.map((offer) => ({
    name: nameOf(offer),
    facts: offer.facts,
    digest: offer.digest,
    known: match(offer, tools),
  }));
  const exposed = tools.filter(({ exposed: selected }) => selected);
  return { live, exposed, items: compareWithGateway(live, exposed, gateway.maxSensitivityTier) };
}

/** What is exposed here under the name; else the one tool whose endpoint the metadata names; else a namesake. */
function match({ facts }: LayerOffer, tools: readonly CatalogTool[]): CatalogTool | undefined {
  const name = nameOf({ facts });
  const isNamesake = (tool: CatalogTool): boolean => tool.name === name || tool.endpoint === callKey(name);
  return (
    tools.find((tool) => tool.exposed && isNamesake(tool)) ??
    routed(routeOf(facts), tools) ??
    tools.find(isNamesake)
  );
}

/** Several APIs may have a path: then the one that is exposed here is meant, if it is one. */
function routed(route: string | undefined, tools: readonly CatalogTool[]): CatalogTool | undefined {
  const all = route === undefined ? [] : tools.filter(({ endpoint }) => endpoint === route);
  const here = all.filter(({ exposed }) => exposed);
  const candidates = here.length > 0 ? here : all;
  return candidates.length === 1 ? candidates[0] : undefined;
}

const callKey = (name: string): string => `${name}@call`;
const nameOf = ({ facts }: Pick<LayerOffer, 'facts'>): string => facts.path ?? '';
