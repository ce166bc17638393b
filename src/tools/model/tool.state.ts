import { compareVersions } from '../../registry/shared.js';
import type { CallFault, VersionContent, VersionEvent } from './version.events.js';
import type { ChangeMark, ToolFields, ToolInvocation, ToolOverrides } from './tool-facts.js';
import type { ToolCreated, ToolEvent } from './tool.events.js';

/** The state of a tool, folded from its events. */
export type ToolState = { readonly status: 'unknown' } | KnownTool;

export interface KnownTool {
  /** The tool's own flag; `endpointActive` is that of its endpoint. */
  readonly status: 'active' | 'inactive';
  /** Frozen with the first event. */
  readonly name: string;
  /** The present one ({@link presentOf}), or the number under which the first one waits. */
  readonly version: string;
  /** Whether there is a present one. */
  readonly approved: boolean;
  readonly versions: Versions;
  /** Null serves every environment. */
  readonly envTag: string | null;
  /** Null for a tool without an endpoint. */
  readonly endpointId: string | null;
  /** Whether a spec has made it: it takes its name with the approval of a version. */
  readonly isOfSpec: boolean;
  readonly endpointActive: boolean;
  /** As the endpoint or the author has them. */
  readonly words: ToolFields;
  readonly invocation: ToolInvocation;
  /** Null of a tool whose endpoint keeps it; an older one while the endpoint's waits for a review. */
  readonly outputSchema: ToolCreated['data']['outputSchema'];
  /** Null where those of the endpoint are in force; older ones while the endpoint's wait for a review. */
  readonly documentPrompts: readonly string[] | null;
  readonly overrides: ToolOverrides;
  readonly examplePrompts: readonly string[];
  readonly change: ChangeMark | null;
}

export const versionStates = ['draft', 'in_review', 'approved', 'deprecated', 'retired', 'rejected'] as const;
export type VersionState = (typeof versionStates)[number];

/** One version of a tool, whatever became of it. */
export interface ToolVersion {
  readonly state: VersionState;
  readonly origin: 'source' | 'spec';
  /** How often it was written as a draft; left out where it never was one. */
  readonly written?: number;
  /** The rejected versions that it continues, whose authors are its own; left out where there are none. */
  readonly settled?: readonly string[];
  /** Digest of the content that was evaluated last. */
  readonly evaluated?: string;
  readonly content: Omit<VersionContent, 'effective'>;
  /** Why its operation does not fit the schema of its API; left out where it does. */
  readonly fault?: CallFault;
  /** The day of its deprecation has passed; left out where it has not. */
  readonly overdue?: true;
}

/** Whether agents may be given it. */
export function isLive(version: ToolVersion | undefined): boolean {
  return version?.state === 'approved' || version?.state === 'deprecated';
}

/** The version that agents are given unless a link keeps to another; undefined where they are given none. */
export function givenVersionOf(state: unknown): string | undefined {
  const tool = state as ToolState | null;
  return tool === null || tool.status === 'unknown' || !tool.approved ? undefined : tool.version;
}

/** By semantic version. */
export type Versions = Readonly<Partial<Record<string, ToolVersion>>>;

/** The version that agents are given unless a link keeps to another: the highest of those that they may be given. */
export function presentOf(versions: Versions): string | undefined {
  const live = Object.keys(versions).filter((version) => isLive(versions[version]));
  return live.sort((one, other) => compareVersions(other, one))[0];
}

/** The version that the endpoint or the author of the tool has made, and that waits for a review. */
export function openDraft({ versions }: KnownTool): (ToolVersion & { readonly version: string }) | undefined {
  for (const [version, known] of Object.entries(versions))
    if (known?.origin === 'source' && known.state === 'in_review') return { ...known, version };
  return undefined;
}

/** The version whose approval goes with what is accepted of the source: the first one, or that of the source. */
export function waitingVersion(tool: KnownTool): string | undefined {
  return tool.versions[tool.version]?.state === 'in_review' ? tool.version : openDraft(tool)?.version;
}

/** Whether no version of the tool is approved, and a spec says what the first one is. */
export function hasOpenSpec({ approved, versions, version }: KnownTool): boolean {
  return !approved && versions[version]?.origin === 'spec';
}

/**
 * Whether each change of what agents read of it waits for a review, whatever the host approves by itself: it came as a spec, or has had
 * a version that did.
 */
export function needsReview({ isOfSpec, versions }: KnownTool): boolean {
  return (
    isOfSpec ||
    Object.values(versions).some((version) => version?.origin === 'spec' && wasLive.includes(version.state))
  );
}

const wasLive: readonly VersionState[] = ['approved', 'deprecated', 'retired'];

export const unknownTool: ToolState = { status: 'unknown' };

const newborn = {
  status: 'active',
  endpointActive: true,
  overrides: {},
  examplePrompts: [],
  change: null,
  outputSchema: null,
  documentPrompts: null,
  versions: {},
} as const;

/** True while no other tool may take its name: it is active, so is its endpoint, and one that a spec has made is approved. */
export function holdsName({ status, endpointActive, approved, isOfSpec }: KnownTool): boolean {
  return status === 'active' && endpointActive && (approved || !isOfSpec);
}

export function evolveTool(state: ToolState, event: ToolEvent): ToolState {
  if (event.type === 'ToolPublishedEvent') {
    const { name, version, envTag, endpointId, words, invocation, change, state: first } = event.data;
    const facts = { name, version, envTag, endpointId, words, invocation, change, isOfSpec: false };
    return withPresent({ ...newborn, ...facts, approved: first === undefined }, first);
  }
  if (event.type === 'ToolCreatedEvent') {
    const { name, version, words, invocation, outputSchema, change, state: first } = event.data;
    const { envTag = null, implementationType } = event.data;
    const ends = { envTag, endpointId: null, isOfSpec: implementationType === 'service' };
    const facts = { name, version, words, invocation, outputSchema, change };
    return withPresent({ ...newborn, ...ends, ...facts, approved: first === undefined }, first);
  }
  return state.status === 'unknown' ? state : evolveKnown(state, event);
}

/** Events after the first. */
export type LaterEvent = Exclude<ToolEvent, { type: 'ToolPublishedEvent' | 'ToolCreatedEvent' }>;

export function evolveKnown(tool: KnownTool, event: LaterEvent): KnownTool {
  switch (event.type) {
    case 'ToolRefreshedEvent': {
      const { endpointActive, version, change, source } = event.data;
      const { outputSchema = tool.outputSchema, documentPrompts = tool.documentPrompts } = event.data;
      const facts = source && { words: source.words, invocation: source.invocation };
      const approved = tool.approved || isLive(tool.versions[version]);
      const kept = { outputSchema, documentPrompts };
      const refreshed = { ...tool, approved, endpointActive, version, change, ...kept, ...facts };
      return source === undefined ? waitingKept(tool, refreshed) : withPresent(refreshed);
    }
    case 'ToolUpdatedEvent': {
      const { overrides, examplePrompts, version } = event.data;
      return waitingKept(tool, { ...tool, overrides, examplePrompts, version });
    }
    case 'ToolRevisedEvent': {
      const { inputSchema, outputSchema, version, change } = event.data;
      const invocation = { ...tool.invocation, inputSchema };
      return withPresent({ ...tool, invocation, outputSchema, version, change });
    }
    case 'ToolActivatedEvent':
      return { ...tool, status: 'active' };
    case 'ToolDeactivatedEvent':
      return { ...tool, status: 'inactive' };
    case 'ToolChangesAcceptedEvent':
      return { ...tool, change: null };
    default:
      return evolveVersion(tool, event);
  }
}

const stateAfter = {
  ToolVersionSubmittedEvent: 'in_review',
  ToolVersionApprovedEvent: 'approved',
  ToolVersionRejectedEvent: 'rejected',
  ToolVersionDeprecatedEvent: 'deprecated',
  ToolVersionRetiredEvent: 'retired',
} as const satisfies Record<
  Exclude<
    VersionEvent['type'],
    | 'ToolVersionDraftedEvent'
    | 'ToolVersionEvaluatedEvent'
    | 'ToolVersionOverdueNotedEvent'
    | 'ToolCallJudgedEvent'
  >,
  VersionState
>;

function evolveVersion(tool: KnownTool, event: VersionEvent): KnownTool {
  const { version } = event.data;
  if (event.type === 'ToolVersionDraftedEvent') {
    const { state, origin, content, continues = [] } = event.data;
    const settled = continues.filter((other) => tool.versions[other]?.state === 'rejected');
    // Left out by the log of before, too.
    const { written = (tool.versions[version]?.written ?? 0) + 1 } = event.data;
    const kept = { ...(state === 'draft' && { written }), ...(settled.length > 0 && { settled }) };
    return { ...tool, versions: { ...tool.versions, [version]: { state, origin, ...kept, content } } };
  }
  const known = tool.versions[version];
  if (known === undefined) return tool;
  if (event.type === 'ToolCallJudgedEvent') {
    const { fault: _, ...rest } = known;
    const { fault } = event.data;
    return { ...tool, versions: { ...tool.versions, [version]: { ...rest, ...(fault && { fault }) } } };
  }
  if (event.type === 'ToolVersionOverdueNotedEvent')
    return { ...tool, versions: { ...tool.versions, [version]: { ...known, overdue: true } } };
  const { overdue: _overdue, ...lasting } = known;
  const { content } = known;
  const next =
    event.type === 'ToolVersionEvaluatedEvent'
      ? { ...known, evaluated: event.data.digest }
      : {
          ...{ ...lasting, state: stateAfter[event.type] },
          ...(event.type === 'ToolVersionApprovedEvent' && {
            content: { ...content, overrides: content.overrides ?? tool.overrides },
          }),
        };
  const versions = { ...tool.versions, [version]: next };
  if (version !== tool.version) return { ...tool, versions };
  if (event.type === 'ToolVersionApprovedEvent') return { ...tool, approved: true, versions };
  return event.type === 'ToolVersionRetiredEvent'
    ? { ...tool, approved: false, versions }
    : { ...tool, versions };
}

/** What waits as the first version stays as it was written; what is approved is what the tool is made of now. */
function waitingKept(before: KnownTool, tool: KnownTool): KnownTool {
  const waits = !tool.approved && before.versions[tool.version] !== undefined;
  return waits || hasOpenSpec(before) ? tool : withPresent(tool);
}

/** The tool with what it is made of now as its present version. */
function withPresent(tool: KnownTool, first: VersionState = 'in_review'): KnownTool {
  const { words, invocation, outputSchema, version, approved } = tool;
  const { state = approved ? 'approved' : first, origin = 'source', fault } = tool.versions[version] ?? {};
  const isNew = approved && state !== 'deprecated';
  // What was given with overrides is given with them again, where a newer version makes way for it.
  const content = { words, invocation, outputSchema, ...(approved && { overrides: tool.overrides }) };
  const present: ToolVersion = {
    ...{ state: isNew ? ('approved' as const) : state, origin, content },
    ...(fault && { fault }),
  };
  return { ...tool, versions: { ...tool.versions, [version]: present } };
}
