import type { RecordedEvent } from '../../kernel/event.js';
import type { Transaction } from '../../kernel/sql.js';
import { auditOf, RowChanges, tableOf } from '../../platform/database/row-changes.js';
import type { AcceptedOfTool, EvalConfig, KeptCall, KeptComposite } from '../../registry/shared.js';
import { keptColumn } from './tools.row.js';
import { paramsOf } from '../model/tool-params.js';
import type { ToolEvent } from '../model/tool.events.js';
import type { VersionState } from '../model/tool.state.js';
import type {
  CallFault,
  SeenByReviewer,
  VersionAbout,
  VersionContent,
  VersionEvaluation,
} from '../model/version.events.js';
import { keepAuthors } from './version-authors.projection.js';

/** A version of a tool. What agents are given without a review gets its row from `tool_t` itself: {@link keepGiven}. */
export interface ToolVersionRow {
  readonly host_id: string;
  readonly tool_id: string;
  readonly version: string;
  readonly state: VersionState;
  readonly content: VersionColumn;
  readonly spec_text: string | null;
  /** What its spec says to people; null where no spec says it, or did before that was kept. */
  readonly about: VersionAbout | null;
  readonly origin: 'source' | 'spec' | null;
  /** What it is evaluated by, and the file that says so. */
  readonly eval_config: EvalConfig | null;
  readonly eval_config_text: string | null;
  /** Changes that its number was not raised for. */
  readonly accepted: readonly AcceptedOfTool[];
  readonly author: string;
  readonly evaluation: (VersionEvaluation & { readonly digest: string }) | null;
  readonly review: VersionReview | null;
  /** Why it was approved by an override, by whom and when: for good, whatever becomes of it. */
  readonly override: { readonly reason: string; readonly by: string; readonly at: string } | null;
  /** What who approved or rejected it had before them; null while nobody has, and of decisions of before. */
  readonly seen: SeenByReviewer | null;
  readonly deprecation: { readonly on: string; readonly message: string; readonly overdue?: true } | null;
  /** Why its operation does not fit the schema of its API; null where it does. */
  readonly call_fault: CallFault | null;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
  readonly position: number;
}

/** What a version is made of, with the overrides of its time. */
export type VersionColumn = VersionContent['words'] & {
  readonly inputSchema: VersionContent['invocation']['inputSchema'];
  /** Left out while the endpoint's is the version's. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Of the document, where the version waited for a review. */
  readonly examplePrompts?: readonly string[];
  readonly params: readonly object[];
  readonly sourceProtocol: string | null;
  readonly capabilityRef: string | null;
  /** What a call carries out, where a spec says it: an operation, or one of several. */
  readonly call?: (KeptCall | KeptComposite) & { readonly endpointIds: readonly string[] };
};

/** Who approved, rejected, withdrew or retired a version, and on what grounds. */
export interface VersionReview {
  readonly by: string;
  readonly at: string;
  readonly reason?: string | null;
  /** Whether its author took it back. */
  readonly withdrawn?: true;
  readonly digest?: string | null;
  readonly evaluation?: object | null;
  readonly override?: { readonly reason: string } | null;
}

const rowsOfVersions = tableOf<ToolVersionRow>('tool_version_t', ['host_id', 'tool_id', 'version'], {
  host_id: 'uuid',
  tool_id: 'uuid',
  version: 'text',
  state: 'text',
  content: 'jsonb',
  spec_text: 'text',
  about: 'jsonb',
  origin: 'text',
  eval_config: 'jsonb',
  eval_config_text: 'text',
  accepted: 'jsonb',
  author: 'text',
  evaluation: 'jsonb',
  review: 'jsonb',
  override: 'jsonb',
  seen: 'jsonb',
  deprecation: 'jsonb',
  call_fault: 'jsonb',
  aggregate_version: 'bigint',
  update_ts: 'timestamptz',
  update_user: 'text',
  position: 'bigint',
});

type Recorded = RecordedEvent & ToolEvent;

/** Writes the versions that these events concern, one event of each tool; its row of `tool_t` has been written already. */
export async function writeVersions(tx: Transaction, events: readonly Recorded[]): Promise<void> {
  keepGiven(tx, events.filter(setsContent));
  const rows = new RowChanges<ToolVersionRow>(rowsOfVersions);
  for (const event of events) {
    const tool = { host_id: event.host, tool_id: event.aggregateid };
    for (const { version, columns, complete = false } of changesOf(event))
      rows.set({ ...tool, version }, { ...columns, ...auditOf(event) }, complete);
  }
  await rows.writeMany(tx);
  keepAuthors(tx, events);
  keepFormerSchemas(tx, events);
  markOverdue(tx, events);
  // A change of the number leads from one version to another, which may be in another state.
  const changed = events.filter(({ aggregateversion }) => aggregateversion > 1);
  if (changed.length > 0) showReviews(tx, changed);
}

interface VersionChange {
  readonly version: string;
  readonly columns: Partial<ToolVersionRow>;
  readonly complete?: boolean;
}

function changesOf(event: Recorded): readonly VersionChange[] {
  if (event.type !== 'ToolUpdatedEvent') return [changeOf(event)].flatMap((change) => change ?? []);
  const { waiting = [] } = event.data;
  return waiting.map(({ version, content }) => ({ version, columns: { content: columnOf(content) } }));
}

function changeOf(event: Recorded): VersionChange | undefined {
  const review = (more: Omit<VersionReview, 'by' | 'at'>) => ({ by: event.user, at: event.time, ...more });
  switch (event.type) {
    case 'ToolPublishedEvent':
    case 'ToolCreatedEvent': {
      const { words, invocation, version, state } = event.data;
      if (state === undefined) return undefined;
      const outputSchema = 'outputSchema' in event.data ? event.data.outputSchema : null;
      const content = { words, effective: words, invocation, outputSchema };
      return drafted(event, { version, state, origin: 'source', content, specText: null });
    }
    case 'ToolVersionDraftedEvent':
      return drafted(event, event.data);
    case 'ToolVersionSubmittedEvent':
      return { version: event.data.version, columns: { state: 'in_review' } };
    case 'ToolVersionEvaluatedEvent': {
      const { version, digest, evaluation } = event.data;
      return { version, columns: { evaluation: { ...evaluation, digest } } };
    }
    case 'ToolVersionApprovedEvent': {
      const { version, seen = null, ...grounds } = event.data;
      const reason = grounds.override?.reason;
      const override = reason === undefined ? null : { reason, by: event.user, at: event.time };
      return { version, columns: { state: 'approved', review: review(grounds), override, seen } };
    }
    case 'ToolVersionRejectedEvent': {
      const { version, seen = null, ...grounds } = event.data;
      return { version, columns: { state: 'rejected', review: review(grounds), seen } };
    }
    case 'ToolVersionDeprecatedEvent': {
      const { version, on, message } = event.data;
      return { version, columns: { state: 'deprecated', deprecation: { on, message } } };
    }
    case 'ToolVersionOverdueNotedEvent':
      return { version: event.data.version, columns: {} };
    case 'ToolVersionRetiredEvent': {
      const { version, reason } = event.data;
      return { version, columns: { state: 'retired', review: review({ reason }) } };
    }
    case 'ToolCallJudgedEvent':
      return { version: event.data.version, columns: { call_fault: event.data.fault } };
    default:
      return undefined;
  }
}

function drafted(
  { user }: RecordedEvent,
  {
    version,
    state,
    origin,
    content,
    specText,
    evalConfig = null,
    evalConfigText = null,
    about = null,
    accepted = [],
  }: {
    readonly version: string;
    readonly state: VersionState;
    readonly origin: 'source' | 'spec';
    readonly content: VersionContent;
    readonly specText: string | null;
    readonly evalConfig?: object | null;
    readonly evalConfigText?: string | null;
    readonly about?: VersionAbout | null;
    readonly accepted?: readonly object[];
  },
): VersionChange {
  const columns = {
    ...{ state, origin, content: columnOf(content), spec_text: specText, about, author: user },
    ...{ eval_config: evalConfig as EvalConfig | null, eval_config_text: evalConfigText },
    accepted: accepted as readonly AcceptedOfTool[],
    ...{ evaluation: null, review: null, override: null, seen: null, deprecation: null, call_fault: null },
  };
  return { version, columns, complete: true };
}

function columnOf({ effective, invocation, outputSchema, kept }: VersionContent): VersionColumn {
  const { inputSchema, sourceProtocol, capabilityRef, call } = invocation;
  const output =
    outputSchema ?? (kept?.after['outputSchema'] as Readonly<Record<string, unknown>> | undefined);
  const calls = keptColumn(call) as unknown as VersionColumn['call'];
  const prompts = kept?.after['examplePrompts'] as readonly string[] | undefined;
  return {
    ...effective,
    ...{ inputSchema, params: paramsOf(inputSchema), sourceProtocol, capabilityRef },
    ...(output !== undefined && { outputSchema: output }),
    ...(calls !== undefined && { call: calls }),
    ...(prompts !== undefined && { examplePrompts: prompts }),
  };
}

/** Keeps the output schema that a version had, where its endpoint has another now. */
function keepFormerSchemas(tx: Transaction, events: readonly Recorded[]): void {
  for (const { type, host, aggregateid, data } of events) {
    if (type !== 'ToolRefreshedEvent' || data.former === undefined) continue;
    const { version, outputSchema } = data.former;
    tx.send(
      `UPDATE tool_version_t SET content = content || jsonb_build_object('outputSchema', $4::jsonb)
       WHERE host_id = $1 AND tool_id = $2 AND version = $3`,
      [host, aggregateid, version, JSON.stringify(outputSchema)],
    );
  }
}

/** Adds to the deprecation of a version that its day has passed. */
function markOverdue(tx: Transaction, events: readonly Recorded[]): void {
  for (const { type, host, aggregateid, data } of events) {
    if (type !== 'ToolVersionOverdueNotedEvent') continue;
    tx.send(
      `UPDATE tool_version_t SET deprecation = deprecation || '{"overdue": true}'
       WHERE host_id = $1 AND tool_id = $2 AND version = $3`,
      [host, aggregateid, data.version],
    );
  }
}

/** Says to the triggers, which instances of before rely on, that versions are kept here (migrations/catalog/0096). */
export function keepHere(tx: Transaction): void {
  tx.send(
    `SELECT set_config('app.keeps_versions', 'on', true), set_config('app.keeps_about', 'on', true)`,
    [],
    'keep_versions_and_about_here',
  );
}

const setsContent = ({ type }: ToolEvent): boolean =>
  type === 'ToolPublishedEvent' ||
  type === 'ToolCreatedEvent' ||
  type === 'ToolRefreshedEvent' ||
  type === 'ToolUpdatedEvent' ||
  type === 'ToolRevisedEvent';

const given = `t.host_id, t.tool_id, t.version, t.approved, tool_version_content(t) AS content, t.update_user, t.aggregate_version,
       t.update_ts, t.position`;

/** Keeps what agents are given of tools as their version. @param rows SQL that gives rows of `tool_t` as {@link given} */
const keeping = (rows: string): string => `WITH given AS (${rows})
  INSERT INTO tool_version_t AS known
         (host_id, tool_id, version, state, content, author, aggregate_version, update_ts, update_user, position)
  SELECT host_id, tool_id, version, 'approved', content, update_user, aggregate_version, update_ts, update_user, position
    FROM given WHERE approved
  ON CONFLICT (host_id, tool_id, version) DO UPDATE
    SET content = known.content || excluded.content, position = excluded.position
    WHERE (known.content || excluded.content) IS DISTINCT FROM known.content`;

/** Keeps what these events have made of their tools as the version that agents are given. */
function keepGiven(tx: Transaction, events: readonly RecordedEvent[]): void {
  if (events.length === 0) return;
  const rows = `SELECT ${given} FROM tool_t t WHERE t.host_id = $1 AND t.tool_id = ANY($2::uuid[])`;
  tx.send(keeping(rows), [events[0]?.host, [...new Set(events.map(({ aggregateid }) => aggregateid))]]);
}

/** Brings to the tools what reviews have made of the version that agents are given, which is kept as they have it then. */
function showReviews(tx: Transaction, events: readonly RecordedEvent[]): void {
  const toolIds = [...new Set(events.map(({ aggregateid }) => aggregateid))];
  const rows = `
     UPDATE tool_t t SET approved = v.state IN ('approved', 'deprecated'), deprecation = v.deprecation, call_fault = v.call_fault
     FROM tool_version_t v
     WHERE t.host_id = $1 AND t.tool_id = ANY($2::uuid[])
       AND v.host_id = t.host_id AND v.tool_id = t.tool_id AND v.version = t.version
       AND (t.approved, t.deprecation, t.call_fault)
         IS DISTINCT FROM (v.state IN ('approved', 'deprecated'), v.deprecation, v.call_fault)
     RETURNING ${given}`;
  tx.send(keeping(rows), [events[0]?.host, toolIds]);
}
