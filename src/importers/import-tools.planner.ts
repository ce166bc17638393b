import { evolveEndpoint, type Layer, quarantinedGrades } from '../endpoints/shared.js';
import {
  endpointRecord,
  type EndpointRecord,
  endpointsById,
  isStream,
  knownEndpoints,
} from '../endpoints/public.js';
import type { Command } from '../kernel/command.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { hasTags, planAdoption, type Tagged } from '../taxonomy/public.js';
import {
  explainedConflicts,
  type OnConflict,
  planPublication,
  planReturns as planToolReturns,
  planWithheld,
  type PublicationConflict,
  toolsOfEndpoints,
  type Unpublished,
  unpublishedEndpoints,
  type WithheldTool,
} from '../tools/public.js';
import type { PublishTool, RefreshTool } from '../tools/shared.js';
import type { Difference, ReportConflict, Reviewed } from './import.plan.js';

/** The effects of an import on tools: new ones where it publishes, and names that are taken. */
export interface PlannedTools {
  /** Before `commands`: tools that give up names which are published. */
  readonly leaving: readonly RefreshTool[];
  readonly commands: readonly PublishTool[];
  readonly conflicts: readonly PublicationConflict[];
  /** Streams, which are only published by their ids. */
  readonly leftOut: readonly Unpublished<'stream'>[];
  /** Endpoints that are offered afterwards and are no tools, streams left out. */
  readonly unpublished: number;
  /** Tells, under the host's lock, whether the plan still holds. */
  revalidate(sql: Sql): Promise<boolean>;
}

/** What an import changes of the endpoints of a version. */
export interface EndpointChanges {
  readonly visibility: Visibility;
  readonly apiVersionId: string;
  readonly layer: Layer;
  readonly difference: Difference;
  readonly reviewed: readonly Reviewed[];
}

/** Without publishing: tools come and go with their endpoints by themselves, unless a name is taken by then. */
export async function planReturns(sql: Sql, changes: EndpointChanges): Promise<PlannedTools> {
  const { visibility, apiVersionId, difference, reviewed } = changes;
  const { hostId } = visibility;
  const changed = await changedRecords(sql, changes);
  const returns = await planToolReturns(sql, hostId, changed);
  const missing = await unpublishedEndpoints(sql, hostId, apiVersionId);
  const isNew = new Set(reviewed.filter(({ stored }) => !stored).map(({ endpointId }) => endpointId));
  const left = [
    ...changed.filter(
      (record) =>
        record.active &&
        !isStream(record) &&
        (isNew.has(record.endpointId) || missing.has(record.endpointId)),
    ),
    ...difference.unchanged.filter(({ endpointId }) => missing.has(endpointId)),
  ];
  return {
    leaving: [],
    commands: [],
    conflicts: await explainedConflicts(sql, visibility, returns.conflicts, changed),
    leftOut: [],
    unpublished: left.length,
    revalidate: (later) => returns.revalidate(later),
  };
}

/** Publishes what is in the document and is no tool yet. Of endpoints that are unchanged only those are read. */
export async function planPublished(
  sql: Sql,
  changes: EndpointChanges,
  onConflict: OnConflict,
): Promise<PlannedTools> {
  const { visibility, difference } = changes;
  const { hostId } = visibility;
  const unchanged = difference.unchanged.map(({ endpointId }) => endpointId);
  const tools = new Set((await toolsOfEndpoints(sql, hostId, unchanged)).map(({ endpointId }) => endpointId));
  const untooled = unchanged.filter((endpointId) => !tools.has(endpointId));
  const records = [...(await changedRecords(sql, changes)), ...(await endpointsById(sql, hostId, untooled))];
  const published = await planPublication(sql, hostId, records, { onConflict, named: false });
  const conflicts = await explainedConflicts(sql, visibility, published.conflicts, records);
  const tooled = new Set(published.unchanged.map(({ endpointId }) => endpointId));
  const unpublished = conflicts.filter(({ endpointId }) => !tooled.has(endpointId)).length;
  return { ...published, conflicts, unpublished };
}

/** The tools of the version that agents are not given after the import until somebody accepts what changed. */
export async function planWithheldTools(
  sql: Sql,
  { visibility: { hostId }, apiVersionId, difference, reviewed }: EndpointChanges,
  { commands: published }: PlannedTools,
  quarantine: boolean,
): Promise<readonly WithheldTool[]> {
  const changed = reviewed.flatMap(({ endpointId, before, review: { after, grades } }) => {
    if (before === undefined) return [];
    const isGraded = quarantinedGrades.some((grade) => Object.values(grades).includes(grade));
    return {
      before: endpointRecord(endpointId, before),
      after: endpointRecord(endpointId, after),
      isGraded,
    };
  });
  const gone = new Set(difference.missing.map(({ endpointId }) => endpointId));
  return planWithheld(sql, hostId, apiVersionId, { changed, gone, published, quarantine });
}

/** The endpoints that the import changes, as they will be after it. */
async function changedRecords(sql: Sql, changes: EndpointChanges): Promise<EndpointRecord[]> {
  const { visibility, layer, difference, reviewed } = changes;
  const { hostId } = visibility;
  const missing = difference.missing.map(({ endpointId }) => endpointId);
  const states = await knownEndpoints(sql, hostId, missing);
  return [
    ...reviewed.map(({ endpointId, review }) => endpointRecord(endpointId, review.after)),
    ...[...states].map(([endpointId, state]) =>
      endpointRecord(
        endpointId,
        evolveEndpoint(state, { type: 'ApiEndpointVanishedEvent', data: { layer } }),
      ),
    ),
  ];
}

/** A name that is taken, as the report's conflicts show it. */
export function nameConflict(
  { endpoint, name, code, detail, heldBy }: PublicationConflict,
  layer: Layer,
): ReportConflict {
  const held = heldBy === undefined ? {} : { heldBy };
  return { endpoint, field: 'toolName', kept: null, offered: name, layer, code, detail, ...held };
}

/** The effects of an import on the tags of endpoints. */
export interface PlannedTags {
  readonly commands: readonly Command[];
  readonly created: number;
}

/**
 * The document's tags become those of its endpoints where there are tags of the name (docs/contract.md, section 6). Asked to create
 * them, the import looks at the endpoints that have not changed as well.
 */
export async function planTags(
  sql: Sql,
  { visibility: { hostId }, difference, reviewed }: EndpointChanges,
  createTags: boolean,
): Promise<PlannedTags> {
  if (!createTags && (reviewed.length === 0 || !(await hasTags(sql, hostId, 'endpoint')))) {
    return { commands: [], created: 0 };
  }
  const changed = reviewed.map(({ endpointId, review }): Tagged => {
    return { entityId: endpointId, tags: endpointRecord(endpointId, review.after).facts.tags };
  });
  const unchanged = createTags ? difference.unchanged.map(({ endpointId }) => endpointId) : [];
  const stored = (await endpointsById(sql, hostId, unchanged)).map(({ endpointId, facts }): Tagged => {
    return { entityId: endpointId, tags: facts.tags };
  });
  const how = { entityType: 'endpoint', create: createTags } as const;
  const { made, adopted } = await planAdoption(sql, hostId, how, [...changed, ...stored]);
  return { commands: [...made, ...adopted], created: made.length };
}
