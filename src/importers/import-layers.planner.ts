import { endpointNames, inheritedFacts, storedEndpoints } from '../endpoints/public.js';
import type { Layer } from '../endpoints/shared.js';
import { RuleBroken } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { attachOperations } from './attach-operations.js';
import { compare, type Difference } from './import.plan.js';
import type { DocumentWarning } from '../documents/findings.js';
import { endpointOffer, type EndpointOffer } from '../formats/shared.js';
import type { ReadDocument } from './read-import.worker.js';

/** The layers that a document may be imported into. */
export type OfferedLayer = Exclude<Layer, 'operator'>;

/** The part of a document that belongs to one layer, compared with what is stored. */
export interface LayerPart {
  readonly layer: OfferedLayer;
  readonly difference: Difference;
}

export interface Parts {
  /** The first is the document's own layer, which the report is about. The others follow from it. */
  readonly parts: readonly [LayerPart, ...LayerPart[]];
  readonly warnings: readonly DocumentWarning[];
  /** Whether the document is what the catalog exported itself, and is not to be kept. */
  readonly isOwnExport?: boolean;
}

/** A document that is imported into a version. */
export interface Bringing {
  readonly hostId: string;
  readonly apiVersionId: string;
  readonly apiType: string;
  readonly document: ReadDocument;
  /** Chosen by the document where undefined. */
  readonly layer: OfferedLayer | undefined;
  readonly idOf: (endpoint: string) => string;
}

const enriching: readonly Layer[] = ['lightapi_endpoint', 'lightapi_api'];

/** Splits a document by layers: two for LightAPI, three where LightAPI is the source, one for all others. */
export async function partsOf(sql: Sql, bringing: Bringing): Promise<Parts> {
  const { document, layer = 'source', apiType } = bringing;
  refuseForeign(bringing);
  if (document.format === 'lightapi') return lightApiParts(sql, bringing);
  const own = await partOf(sql, bringing, layer, document.offers);
  const added = own.difference.changed.filter(({ stored }) => stored === undefined);
  const inherited =
    added.length > 0 && apiType !== 'lightapi'
      ? await inheritedFacts(sql, bringing.hostId, bringing.apiVersionId)
      : undefined;
  if (inherited === undefined) return { parts: [own], warnings: [] };
  const offers = added.map(({ offer }) => endpointOffer(offer.endpoint, inherited));
  return { parts: [own, await enrichingPart(sql, bringing, 'lightapi_api', offers)], warnings: [] };
}

/** Refuses a document of another format than the version's: it would make every endpoint of the version vanish. */
function refuseForeign({ document: { format }, layer, apiType }: Bringing): void {
  if (apiType === 'agent') {
    throw new RuleBroken(
      'agent_without_document',
      'A version of type agent has no endpoints and takes no document.',
    );
  }
  if (format !== 'lightapi' && layer !== undefined && enriching.includes(layer)) {
    throw new RuleBroken(
      'format_mismatch',
      `Only a LightAPI document speaks in the layer ${layer}; the document is ${format}.`,
    );
  }
  if (format !== 'lightapi' && layer !== 'gateway' && format !== apiType) {
    throw new RuleBroken(
      'format_mismatch',
      `The version is of type ${apiType}, the document is ${format}. Import it into a version of that type.`,
    );
  }
}

async function lightApiParts(sql: Sql, bringing: Bringing): Promise<Parts> {
  const { hostId, apiVersionId, apiType, layer } = bringing;
  const names = await endpointNames(sql, hostId, apiVersionId);
  const document = withStoredKeys(bringing.document, new Set(names.map(({ endpoint }) => endpoint)));
  const { enrichment } = document;
  if (enrichment === undefined) throw new Error('A LightAPI document without operations.');
  const isSource = apiType === 'lightapi';
  const known = isSource ? [] : names;
  const { own, inherited, warnings } = attachOperations(enrichment, known, { apiVersionId, isSource });
  const parts: LayerPart[] = [];
  const operations = new Map(own.map(({ endpoint, isOwnExport }) => [endpoint, isOwnExport]));
  const offers = document.offers.map((offer) => ({
    ...offer,
    isOwnExport: operations.get(offer.endpoint) ?? false,
  }));
  if (isSource) parts.push(await partOf(sql, bringing, 'source', offers));
  if (layer !== 'lightapi_api') parts.push(await enrichingPart(sql, bringing, 'lightapi_endpoint', own));
  if (layer !== 'lightapi_endpoint')
    parts.push(await enrichingPart(sql, bringing, 'lightapi_api', inherited));
  const isOwnExport = [...own, ...inherited].every((offer) => offer.isOwnExport);
  return { parts: parts as [LayerPart, ...LayerPart[]], warnings, isOwnExport };
}

/** Gives operations the keys under which the version has them already, so that endpoints keep their ids. */
function withStoredKeys(document: ReadDocument, stored: ReadonlySet<string>): ReadDocument {
  const { enrichment, offers } = document;
  const former = new Map(
    (enrichment?.operations ?? []).flatMap(({ key, formerKey }) =>
      formerKey !== undefined && stored.has(formerKey) && !stored.has(key) ? [[key, formerKey]] : [],
    ),
  );
  if (enrichment === undefined || former.size === 0) return document;
  const keyOf = (key: string): string => former.get(key) ?? key;
  const operations = enrichment.operations.map((each) => ({ ...each, key: keyOf(each.key) }));
  return {
    ...document,
    offers: offers.map((offer) => ({ ...offer, endpoint: keyOf(offer.endpoint) })),
    enrichment: { ...enrichment, operations },
  };
}

/** Compares an enriching layer: such a document may cover a few endpoints, so what it leaves out stays. */
async function enrichingPart(
  sql: Sql,
  bringing: Bringing,
  layer: OfferedLayer,
  offers: readonly EndpointOffer[],
): Promise<LayerPart> {
  const part = await partOf(sql, bringing, layer, offers);
  return { ...part, difference: { ...part.difference, missing: [] } };
}

async function partOf(
  sql: Sql,
  { hostId, apiVersionId, idOf }: Bringing,
  layer: OfferedLayer,
  offers: readonly EndpointOffer[],
): Promise<LayerPart> {
  const stored = await storedEndpoints(sql, hostId, apiVersionId, layer);
  return { layer, difference: compare(offers, stored, idOf) };
}
