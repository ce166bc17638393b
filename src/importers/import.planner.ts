import { isDeepStrictEqual } from 'node:util';
import { v5, v7 } from 'uuid';
import { UpdateApiVersionSpec } from '../endpoints/api-version.commands.js';
import { versionStand, type VersionStand } from '../endpoints/api-version.lookup.js';
import { knownEndpoints, storedEndpoints } from '../endpoints/endpoint-layer.lookup.js';
import { ImportEndpoint, VanishEndpoint } from '../endpoints/endpoint.commands.js';
import { review } from '../endpoints/endpoint.review.js';
import { unknownEndpoint } from '../endpoints/endpoint.state.js';
import type { Command } from '../eventsourcing/command.js';
import { RuleBroken } from '../eventsourcing/errors.js';
import { Pace } from '../eventsourcing/pace.js';
import type { Sql } from '../eventsourcing/sql.js';
import { compare, conflictsOf, countOf, itemsOf, type Difference, type Reviewed } from './import.plan.js';
import type { OfferedDocument } from './offered-document.service.js';
import type { Target } from './import-target.planner.js';
import { nameConflict, planPublished, planReturns, type PlannedTools } from './import-tools.planner.js';

/** A document that was read, and how it is to be taken in. */
export interface Import {
  readonly document: OfferedDocument;
  readonly layer: 'source' | 'gateway';
  readonly publish: boolean;
}

export interface PlannedImport {
  readonly commands: readonly Command[];
  /** Whether what the plan was made from is still so; to be asked under the host's lock. */
  stillHolds(sql: Sql): Promise<boolean>;
  /** The report of contract 4; `position` is that of the last event of the write, 0 where there is none. */
  report(position: number): object;
}

/**
 * What a document changes of an API version: the difference to what is stored, and nothing for what is the same.
 * Streams are read only of endpoints that change.
 */
export async function planImport(sql: Sql, request: Import, target: Target): Promise<PlannedImport> {
  const { document, layer, publish } = request;
  const { hostId, version, commands: making } = target;
  refuseForeign(request, target);
  const stand = await versionStand(sql, hostId, version);
  const stored = await storedEndpoints(sql, hostId, version.apiVersionId, layer);
  const difference = compare(document.offers, stored, (endpoint) => v5(endpoint, version.apiVersionId));
  const reviewed = await reviewNews(sql, request, target, difference);
  const changes = { hostId, layer, difference, reviewed };
  const tools = await (publish ? planPublished(sql, changes) : planReturns(sql, changes));
  const commands = [
    ...making,
    ...(await specOf(request, target, stand)),
    ...reviewed.map(
      ({ endpointId, imported, stored: old }) => new ImportEndpoint(hostId, endpointId, imported, !old),
    ),
    ...difference.vanished.map(({ endpointId }) => new VanishEndpoint(hostId, endpointId, { layer })),
    ...tools.commands,
  ];
  return {
    commands,
    stillHolds: async (later) =>
      isDeepStrictEqual(await versionStand(later, hostId, version), stand) && (await tools.stillHolds(later)),
    report: (position) =>
      reportOf(request, target, { difference, reviewed, tools }, Math.max(position, stand?.position ?? 0)),
  };
}

/** A layer's document is of one format: another one would make every endpoint of the version vanish. */
function refuseForeign({ document, layer }: Import, { version }: Target): void {
  if (version.apiType === 'agent') {
    throw new RuleBroken(
      'agent_without_document',
      'A version of type agent has no endpoints and takes no document.',
    );
  }
  if (layer === 'source' && document.format !== version.apiType) {
    throw new RuleBroken(
      'format_mismatch',
      `The version is of type ${version.apiType}, the document is ${document.format}. Import it into a version of that type.`,
    );
  }
}

async function reviewNews(
  sql: Sql,
  { document, layer }: Import,
  { hostId, version }: Target,
  { news }: Difference,
): Promise<Reviewed[]> {
  if (news.length === 0) return [];
  const { offers } = await document.whole();
  const facts = new Map(offers.map((offer) => [offer.endpoint, offer]));
  const old = news.filter(({ stored }) => stored !== undefined).map(({ endpointId }) => endpointId);
  const states = await knownEndpoints(sql, hostId, old);
  const { apiId, apiVersionId, serviceId, envTag } = version;
  const reviewed: Reviewed[] = [];
  const pace = new Pace();
  for (const offered of news) {
    const offer = facts.get(offered.offer.endpoint);
    if (offer === undefined) throw new Error('A document says less when it is read again.');
    const imported = { apiId, apiVersionId, serviceId, envTag, layer, ...offer };
    const before = states.get(offered.endpointId) ?? unknownEndpoint;
    reviewed.push({ ...offered, imported, review: review(before, imported) });
    await pace.step();
  }
  return reviewed;
}

/** The source's document is kept, to be read again by a resync; what a gateway lists is an observation. */
async function specOf(
  { document, layer }: Import,
  { hostId, version: { apiVersionId } }: Target,
  stand: VersionStand | undefined,
): Promise<Command[]> {
  const { digest: specDigest, format, formatVersion } = document;
  if (layer !== 'source' || specDigest === stand?.specDigest) return [];
  const { spec } = await document.whole();
  return [new UpdateApiVersionSpec(hostId, v7(), { apiVersionId, spec, specDigest, format, formatVersion })];
}

interface Findings {
  readonly difference: Difference;
  readonly reviewed: readonly Reviewed[];
  readonly tools: PlannedTools;
}

function reportOf(
  { document, layer, publish }: Import,
  { version }: Target,
  { difference, reviewed, tools }: Findings,
  position: number,
): object {
  const items = itemsOf(reviewed, difference);
  return {
    apiVersionId: version.apiVersionId,
    format: document.format,
    formatVersion: document.formatVersion,
    total: document.offers.length,
    added: countOf(items, 'added'),
    changed: countOf(items, 'changed'),
    unchanged: countOf(items, 'unchanged'),
    deactivated: countOf(items, 'deactivated'),
    reactivated: countOf(items, 'reactivated'),
    ...(publish && { published: tools.commands.length }),
    items,
    warnings: document.warnings,
    conflicts: [
      ...conflictsOf(reviewed, difference.unchanged),
      ...tools.conflicts.map((conflict) => nameConflict(conflict, layer)),
    ],
    position,
  };
}
