import { isDeepStrictEqual } from 'node:util';
import { v5, v7 } from 'uuid';
import type { DocumentWarning } from '../documents/findings.js';
import {
  type EndpointState,
  ImportEndpoint,
  type KnownEndpoint,
  type Reach,
  review,
  unknownEndpoint,
  VanishEndpoint,
} from '../endpoints/shared.js';
import {
  type ImpactLookup,
  endpointRecord,
  ReplaceApiVersionSpec,
  UpdateApiVersionSpec,
  inactiveAmong,
  knownEndpoints,
  versionSnapshot,
  type VersionSnapshot,
} from '../endpoints/public.js';
import type { Command } from '../kernel/command.js';
import { headPosition } from '../kernel/heads.js';
import { Pace } from '../kernel/pace.js';
import type { Sql } from '../kernel/sql.js';
import { offeredFacts } from '../formats/shared.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { OnConflict, WithheldTool } from '../tools/public.js';
import { FieldChanges } from './field-changes.js';
import {
  type ChangedOperation,
  nothingHeld,
  type OperationsKnown,
  type PlannedOperations,
  planOperations,
} from './import-operations.planner.js';
import { partsOf, type LayerPart, type OfferedLayer } from './import-layers.planner.js';
import { planTags, type PlannedTags } from './import-tools.planner.js';
import type { Target } from './import-target.planner.js';
import {
  nameConflict,
  planPublished,
  planReturns,
  planWithheldTools,
  type PlannedTools,
} from './import-tools.planner.js';
import { conflictsOf, countOf, itemsOf, withReview, type Difference, type Reviewed } from './import.plan.js';
import type { ReadDocument } from './read-import.worker.js';

/** A document that was read, and how it is to be taken in. */
export interface Import {
  readonly document: ReadDocument;
  /** Chosen by the document where undefined. */
  readonly layer: OfferedLayer | undefined;
  readonly publish: boolean;
  readonly onConflict: OnConflict;
  readonly createTags: boolean;
  readonly visibility: Visibility;
  /** Knows whom a change reaches. */
  readonly impact: Pick<ImpactLookup, 'reach'>;
  /** Holds the operations that people have written. */
  readonly known: OperationsKnown;
}

/** Plans a version that is written without a document. */
export async function planVersion(
  sql: Sql,
  { hostId, version: { apiVersionId }, commands }: Pick<Target, 'hostId' | 'version' | 'commands'>,
): Promise<PlannedImport> {
  const position = await headPosition(sql, hostId);
  return {
    ...{ hostId, apiVersionId },
    commands,
    revalidate: async (later) => (await headPosition(later, hostId)) === position,
    report: () => ({}),
  };
}

export interface PlannedImport {
  readonly hostId: string;
  readonly apiVersionId: string;
  readonly commands: readonly Command[];
  /** Tells, under the host's lock, whether the plan still holds. */
  revalidate(sql: Sql): Promise<boolean>;
  /**
   * The report of the import; `position` is that of the last event of the write, 0 where there is none.
   *
   * @param isDry whether nothing is carried out: a version that would be made has no id then, nor have its endpoints
   */
  report(position: number, isDry?: boolean): object;
}

/**
 * Plans what a document changes of an API version: the difference to what is stored, and nothing for what is the same.
 * Streams are read only of endpoints that change.
 */
export async function planImport(sql: Sql, request: Import, target: Target): Promise<PlannedImport> {
  const { hostId, version, commands: making } = target;
  const { apiVersionId, apiType } = version;
  const current = await versionSnapshot(sql, hostId, version);
  const isInactive = (await inactiveAmong(sql, hostId, [version]))(version);
  const idOf = (endpoint: string): string => v5(endpoint, apiVersionId);
  const {
    parts,
    warnings,
    isOwnExport = false,
  } = await partsOf(sql, { ...request, hostId, apiVersionId, apiType, idOf });
  const [{ layer, difference: own }] = parts;
  const reviewed = await reviewChanges(sql, target, parts);
  const touched = new Set(reviewed.map(({ endpointId }) => endpointId));
  const unchanged = own.unchanged.filter(({ endpointId }) => !touched.has(endpointId));
  const { visibility } = request;
  const changes = { visibility, apiVersionId, layer, difference: { ...own, unchanged }, reviewed };
  const tools = await (request.publish
    ? planPublished(sql, changes, request.onConflict)
    : planReturns(sql, changes));
  const withheld = await planWithheldTools(sql, changes, tools, version.quarantine);
  const specs = isOwnExport ? [] : specOf(request.document, layer, target, current);
  const held = await heldAgainst(sql, request, version, { isSchema: specs.length > 0, reviewed });
  const tags = await planTags(sql, changes, request.createTags);
  const known = [...reviewed.filter(({ stored }) => stored !== undefined), ...own.missing].map(idOfEndpoint);
  const reach = await request.impact.reach(sql, visibility, known);
  const commands = [
    ...making,
    ...specs,
    ...reviewed.flatMap(({ endpointId, imports, stored }) =>
      imports.map((said, index) => new ImportEndpoint(hostId, endpointId, said, !stored && index === 0)),
    ),
    ...own.missing.map(({ endpointId }) => new VanishEndpoint(hostId, endpointId, { layer })),
    ...tools.leaving,
    ...tools.commands,
    ...tags.commands,
    ...held.commands,
  ];
  const notices = { warnings: [...warnings, ...inactiveNotice(isInactive)], operations: held.changed };
  const findings = { ...changes, ...notices, tools, tags, withheld, reach };
  return {
    ...{ hostId, apiVersionId, commands },
    revalidate: async (later) => {
      const [now, still, ...holds] = await Promise.all([
        versionSnapshot(later, hostId, version),
        inactiveAmong(later, hostId, [version]),
        tools.revalidate(later),
        held.revalidate(later),
      ]);
      return holds.every(Boolean) && still(version) === isInactive && isDeepStrictEqual(now, current);
    },
    report: (position, isDry = false) =>
      reportOf(
        request,
        target,
        { ...findings, isNamed: !isDry || making.length === 0 },
        Math.max(position, current?.position ?? 0),
      ),
  };
}

const idOfEndpoint = ({ endpointId }: { readonly endpointId: string }): string => endpointId;

/** Holds what people have written for the API against a document that becomes its schema, or that changes endpoints of it. */
function heldAgainst(
  sql: Sql,
  { document, visibility, known }: Import,
  { apiVersionId, apiType }: Target['version'],
  { isSchema, reviewed }: { readonly isSchema: boolean; readonly reviewed: readonly Reviewed[] },
): Promise<PlannedOperations> {
  const packed = isSchema && apiType === 'graphql' ? { packed: document.spec } : {};
  const endpoints =
    apiType === 'graphql'
      ? []
      : reviewed
          .filter(({ stored }) => stored !== undefined)
          .map(({ endpointId, review: { after } }) => endpointRecord(endpointId, after));
  if (endpoints.length === 0 && !('packed' in packed)) return Promise.resolve(nothingHeld);
  return planOperations(sql, visibility.hostId, { apiVersionId, ...packed, endpoints }, known);
}

/** Reviews layer by layer what the document says of each endpoint that changes, and what comes of all of it. */
async function reviewChanges(
  sql: Sql,
  { hostId, version, mayLoosen }: Target,
  parts: readonly LayerPart[],
): Promise<Reviewed[]> {
  const changed = parts.flatMap(({ difference }) => difference.changed);
  const old = changed.filter(({ stored }) => stored !== undefined).map(({ endpointId }) => endpointId);
  const known = await knownEndpoints(sql, hostId, [...new Set(old)]);
  const states = new Map<string, EndpointState>(known);
  const { apiId, apiVersionId, serviceId, envTag } = version;
  const reviewed = new Map<string, Reviewed>();
  const shown = new FieldChanges();
  const pace = new Pace();
  for (const { layer, difference } of parts) {
    for (const offered of difference.changed) {
      const { endpoint, digest } = offered.offer;
      const facts = offeredFacts(offered.offer);
      const said = { apiId, apiVersionId, serviceId, envTag, layer, endpoint, digest, facts };
      const { endpointId, stored } = offered;
      const imported = { ...said, mayLoosen: mayLoosen || stored === undefined };
      const before = states.get(endpointId) ?? unknownEndpoint;
      const seen = review(before, imported);
      states.set(endpointId, seen.after);
      const former = before.status === 'known' ? before.layers[layer] : undefined;
      const changes = stored === undefined ? [] : shown.of(former, facts, seen.grades);
      const fresh = { ...offered, ...isThere(known.get(endpointId)), imports: [], changes: [] };
      const earlier = reviewed.get(endpointId) ?? fresh;
      reviewed.set(endpointId, withReview(earlier, imported, seen, changes));
      await pace.step();
    }
  }
  return [...reviewed.values()];
}

const isThere = (before: KnownEndpoint | undefined) => (before === undefined ? {} : { before });

/** The source's document is kept, to be read again by a resync; what a gateway lists is an observation. */
function specOf(
  { spec, digest: specDigest, format, formatVersion }: ReadDocument,
  layer: OfferedLayer,
  { hostId, version: { apiVersionId } }: Target,
  current: VersionSnapshot | undefined,
): Command[] {
  if (layer !== 'source' || specDigest === current?.specDigest) return [];
  return [
    ...(current === undefined ? [] : [new ReplaceApiVersionSpec(hostId, apiVersionId, { specDigest })]),
    new UpdateApiVersionSpec(hostId, v7(), { apiVersionId, spec, specDigest, format, formatVersion }),
  ];
}

/** An inactive version is imported into all the same: an operator may look at it before activating the version. */
function inactiveNotice(isInactive: boolean): DocumentWarning[] {
  if (!isInactive) return [];
  const detail =
    'The API version or its API is inactive: what was imported is not offered, and nothing is published. Activate it, then publish.';
  return [{ code: 'api_version_inactive', pointer: '', detail }];
}

interface Findings {
  readonly difference: Difference;
  readonly layer: OfferedLayer;
  readonly reviewed: readonly Reviewed[];
  readonly tools: PlannedTools;
  readonly tags: PlannedTags;
  readonly reach: Reach;
  readonly withheld: readonly WithheldTool[];
  readonly operations: readonly ChangedOperation[];
  /** Beside those of the document. */
  readonly warnings: readonly DocumentWarning[];
  /** Whether the ids exist, or will exist after the write. */
  readonly isNamed: boolean;
}

function reportOf(
  { document, publish, createTags }: Import,
  { version, warnings: onTarget = [] }: Target,
  { layer, difference, reviewed, tools, tags, withheld, operations, reach, warnings, isNamed }: Findings,
  position: number,
): object {
  const items = itemsOf(reviewed, difference);
  return {
    ...(isNamed && { apiVersionId: version.apiVersionId, apiId: version.apiId }),
    apiVersion: version.apiVersion,
    format: document.format,
    formatVersion: document.formatVersion,
    total: document.offers.length,
    added: countOf(items, 'added'),
    changed: countOf(items, 'changed'),
    unchanged: countOf(items, 'unchanged'),
    deactivated: countOf(items, 'deactivated'),
    reactivated: countOf(items, 'reactivated'),
    ...(publish && {
      published: tools.commands.length,
      leftOut: isNamed ? tools.leftOut : tools.leftOut.map(({ endpointId: _, ...stream }) => stream),
    }),
    unpublished: tools.unpublished,
    ...(createTags && { tagsCreated: tags.created }),
    items: isNamed ? items : items.map(({ endpointId: _, ...item }) => item),
    withheld: isNamed ? withheld : withheld.map(({ toolId: _, ...tool }) => tool),
    operations,
    reach,
    warnings: [...document.warnings, ...onTarget, ...warnings],
    conflicts: [
      ...conflictsOf(reviewed, difference.unchanged),
      ...tools.conflicts.map((conflict) => nameConflict(conflict, layer)),
    ],
    position,
  };
}
