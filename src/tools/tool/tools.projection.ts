import type { api, apiVersion } from '../../endpoints/public.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { Pace } from '../../kernel/pace.js';
import type { Projection, UniqueRules } from '../../kernel/slice.js';
import type { Transaction } from '../../kernel/sql.js';
import { auditOf, RowChanges } from '../../platform/database/row-changes.js';
import type { RecordEvent } from '../../platform/records/record-spec.js';
import { paramIds, paramsOf } from '../model/tool-params.js';
import { columnsOf, INSERT_PARAMS, type ParamsOfTool, type ToolRow, toolRows } from './tools.row.js';
import type { ToolInvocation } from '../model/tool-facts.js';
import type { ToolEvent } from '../model/tool.events.js';
import { keepHere, writeVersions } from './versions.projection.js';

type Recorded = RecordedEvent & ToolEvent;

/** Switching an API or a version off frees the names of its tools; switching it on takes them again. */
const switches = [
  'ApiDeactivatedEvent',
  'ApiActivatedEvent',
  'ApiVersionDeactivatedEvent',
  'ApiVersionActivatedEvent',
] as const satisfies readonly RecordEvent<typeof api.spec | typeof apiVersion.spec>['type'][];
const isSwitch = ({ type }: RecordedEvent): boolean => switches.some((each) => each === type);

export const toolProjection: Projection = {
  name: 'tools',
  tables: [
    'tool_t',
    'tool_history_t',
    'tool_version_t',
    'tool_version_history_t',
    'tool_name_t',
    'tool_param_t',
  ],
  handles: [
    'ToolPublishedEvent',
    'ToolCreatedEvent',
    'ToolRefreshedEvent',
    'ToolUpdatedEvent',
    'ToolRevisedEvent',
    'ToolActivatedEvent',
    'ToolDeactivatedEvent',
    'ToolChangesAcceptedEvent',
    'ToolVersionDraftedEvent',
    'ToolVersionSubmittedEvent',
    'ToolVersionEvaluatedEvent',
    'ToolVersionApprovedEvent',
    'ToolVersionRejectedEvent',
    'ToolVersionDeprecatedEvent',
    'ToolVersionOverdueNotedEvent',
    'ToolVersionRetiredEvent',
    'ToolCallJudgedEvent',
    ...switches,
  ] satisfies readonly (ToolEvent['type'] | (typeof switches)[number])[],

  async apply(tx, recorded) {
    const events = recorded.filter((event) => !isSwitch(event)) as readonly Recorded[];
    if (events.length > 0) keepHere(tx);
    for (const round of roundsOf(events)) {
      await writeTools(tx, round);
      await writeVersions(tx, round);
    }
    writeNames(tx, events, recorded.filter(isSwitch));
    await writeParams(tx, events);
  },
};

/**
 * The first event of each tool, then the second of each, and so on. A row of a tool and those of its versions are made of each
 * other, so that what comes of several events depends on how they are batched, unless they are written one after another.
 */
function roundsOf(events: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const rounds: Recorded[][] = [];
  const turns = new Map<string, number>();
  for (const event of events) {
    const turn = turns.get(event.aggregateid) ?? 0;
    (rounds[turn] ??= []).push(event);
    turns.set(event.aggregateid, turn + 1);
  }
  return rounds;
}

async function writeTools(tx: Transaction, events: readonly Recorded[]): Promise<void> {
  const rows = new RowChanges<ToolRow>(toolRows);
  const pace = new Pace();
  for (const event of events) {
    const key = { host_id: event.host, tool_id: event.aggregateid };
    const { aggregate_version, ...audit } = auditOf(event);
    // What becomes of a draft changes nothing for those who are given the tool: its row stays as old as it was.
    const moved = isAside(event) ? {} : { ...columnsOf(event), ...audit };
    rows.set(key, { aggregate_version, ...moved }, event.aggregateversion === 1);
    await pace.step();
  }
  await rows.writeMany(tx);
}

const isAside = ({ type }: ToolEvent): boolean =>
  type === 'ToolVersionDraftedEvent' ||
  type === 'ToolVersionSubmittedEvent' ||
  type === 'ToolVersionEvaluatedEvent' ||
  type === 'ToolVersionRejectedEvent';

/** Rules that a race could break are kept by the tables as well. */
export const toolUniqueRules: UniqueRules = {
  tool_name_uk: {
    code: 'tool_name_taken',
    detail:
      'Another active tool of this environment has this name. Take another one, or deactivate that tool first.',
  },
  tool_endpoint_uk: {
    code: 'endpoint_published',
    detail: 'This endpoint has just been published by another request. Publish again to see its tool.',
  },
};

/** Takes the names of these tools out, and of those of APIs that were switched; then puts those in that they hold now. */
function writeNames(
  tx: Transaction,
  events: readonly RecordedEvent[],
  switched: readonly RecordedEvent[],
): void {
  const about = (type: string): string[] => [
    ...new Set(
      [...events, ...switched].flatMap((one) => (one.aggregatetype === type ? one.aggregateid : [])),
    ),
  ];
  const ofSwitched =
    switched.length === 0 ? '' : ' OR api_version_id = ANY($3::uuid[]) OR api_id = ANY($4::text[])';
  const key = [
    ...[(events[0] ?? switched[0])?.host, about('Tool')],
    ...(ofSwitched === '' ? [] : [about('ApiVersion'), about('Api')]),
  ];
  const tools = `SELECT tool_id FROM tool_t WHERE host_id = $1 AND (tool_id = ANY($2::uuid[])${ofSwitched})`;
  tx.send(`DELETE FROM tool_name_t WHERE host_id = $1 AND tool_id = ANY(ARRAY(${tools}))`, key);
  tx.send(
    `INSERT INTO tool_name_t (host_id, tool_id, name, version, env_tag)
     SELECT t.host_id, t.tool_id, t.name, t.version, t.env_tag FROM tool_t t
     LEFT JOIN api_version_read v ON v.host_id = t.host_id AND v.api_version_id = t.api_version_id
     WHERE t.host_id = $1 AND t.tool_id = ANY(ARRAY(${tools})) AND t.active AND t.endpoint_active
       AND coalesce(v.active, true) AND (t.approved OR t.implementation_type <> 'service')`,
    key,
  );
}

/** Replaces the params of the tools whose input schema was set again. */
async function writeParams(tx: Transaction, events: readonly Recorded[]): Promise<void> {
  const latest = new Map(events.filter(inputSchemaOf).map((event) => [event.aggregateid, event]));
  if (latest.size === 0) return;
  const key = [events[0]?.host, [...latest.keys()]];
  tx.send('DELETE FROM tool_param_t WHERE host_id = $1 AND tool_id = ANY($2::uuid[])', key);
  const pace = new Pace();
  let tools: ParamsOfTool[] = [];
  let count = 0;
  for (const event of latest.values()) {
    const its = paramsOfTool(event);
    tools.push(its);
    count += its.params.length;
    if (count >= PARAMS_AT_ONCE) {
      tx.send(INSERT_PARAMS, [JSON.stringify(tools)]);
      [tools, count] = [[], 0];
    }
    await pace.step();
  }
  if (count > 0) tx.send(INSERT_PARAMS, [JSON.stringify(tools)]);
}

/** A statement takes tools until they have so many params. */
const PARAMS_AT_ONCE = 500;

function paramsOfTool(event: Recorded): ParamsOfTool {
  const params = paramsOf(inputSchemaOf(event) ?? {});
  const idOf = paramIds(event.aggregateid);
  const ids = params.map(({ name }) => idOf(name));
  return { host_id: event.host, tool_id: event.aggregateid, ...auditOf(event), params, ids };
}

function inputSchemaOf(event: ToolEvent): ToolInvocation['inputSchema'] | undefined {
  switch (event.type) {
    case 'ToolPublishedEvent':
    case 'ToolCreatedEvent':
      return event.data.invocation.inputSchema;
    case 'ToolRevisedEvent':
      return event.data.inputSchema;
    case 'ToolRefreshedEvent':
      return event.data.source?.invocation.inputSchema;
    default:
      return undefined;
  }
}
