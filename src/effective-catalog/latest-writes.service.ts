/**
 * Which writes can have changed a catalog: those whose events name an id of its rows, or may affect everybody.
 *
 * What a catalog is read by, and which events name it: the agent's profile, API version and assignments (active or not)
 * name the agent; skills, their taxonomies, and their links to tools, skills and workflows name the skill; tools, their
 * taxonomies and exposures the tool; endpoints themselves; API versions and their documents the version. Workflows, APIs,
 * categories, tags and gateways affect everybody, and so does every aggregate that is not listed here.
 */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../eventsourcing/event.js';
import { Heads, type OwnWrite } from '../eventsourcing/heads.js';

/** Names in events, ids among them by which the agents affected are found; or that any agent may be. */
export type Affected = readonly string[] | 'all';

/** Events that are looked at one by one. As many affect everybody: every reader asks for itself. */
export const MAX_EVENTS = 200;

/** Aggregates whose events name a skill, a tool, an endpoint, an API version, a workflow or an agent. */
const named: ReadonlySet<string> = new Set([
  'ApiVersion',
  'ApiVersionSpec',
  'ApiEndpoint',
  'Tool',
  'Skill',
  'SkillTool',
  'SkillDependency',
  'SkillWorkflow',
  'WorkflowDefinition',
  'AgentDefinition',
  'AgentSkill',
  'ToolExposure',
  'EntityTaxonomy',
]);

/** Aggregates of which no catalog is made. */
const unrelated: ReadonlySet<string> = new Set(['GatewayDrift', 'HostSettings', 'SkillFolder', 'Webhook']);

/** For readers who ask the database which agents the ids reach: links and tools name an approving workflow by its name. */
export function affectedBy(events: readonly RecordedEvent[]): Affected {
  if (events.length >= MAX_EVENTS) return 'all';
  const related = events.filter(({ aggregatetype }) => !unrelated.has(aggregatetype));
  if (related.some(({ aggregatetype }) => !named.has(aggregatetype))) return 'all';
  const ids = related.flatMap(({ aggregateid, data }) => [
    aggregateid,
    ...Object.entries((data as object | null) ?? {}).flatMap(([name, value]) =>
      name.endsWith('Id') && typeof value === 'string' ? [value] : [],
    ),
  ]);
  return [...new Set(ids)];
}

/** For readers who ask nobody: a workflow may affect everybody. */
export function affectedAtMost(events: readonly RecordedEvent[]): Affected {
  return events.some(({ aggregatetype }) => aggregatetype === 'WorkflowDefinition')
    ? 'all'
    : affectedBy(events);
}

interface KnownWrite {
  readonly last: number;
  readonly affected: Affected;
}

/** Of all hosts together; a write counts as a few more. Some ten megabytes. */
const MAX_IDS = 100_000;
/** Writes that one question goes through: beyond that the database answers as fast. */
const MAX_STEPS = 500;

/**
 * What the latest writes of this instance affect, by the position of their first event. What another instance wrote, or
 * was not kept, is a gap that nothing is concluded over, so the order in which writes become known does not matter.
 */
@Injectable()
export class LatestWrites implements OnModuleDestroy {
  private readonly writes = new LRUCache<string, KnownWrite>({
    maxSize: MAX_IDS,
    sizeCalculation: ({ affected }) => 4 + (affected === 'all' ? 0 : affected.length),
  });
  private readonly subscription;

  constructor(heads: Heads) {
    this.subscription = heads.written.subscribe((write) => {
      this.note(write);
    });
  }

  /**
   * Says how far what was made of the rows with these ids is still valid: to the end of the last write known after
   * `position`, without a gap, of those before the first that may affect it.
   */
  validThrough(hostId: string, position: number, ids: ReadonlySet<string>): number {
    let valid = position;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const write = this.writes.get(keyOf(hostId, valid + 1));
      if (write === undefined || write.affected === 'all' || write.affected.some((id) => ids.has(id))) break;
      valid = write.last;
    }
    return valid;
  }

  onModuleDestroy(): void {
    this.subscription.unsubscribe();
  }

  private note({ hostId, position, events }: OwnWrite): void {
    const first = position - events.length + 1;
    this.writes.set(keyOf(hostId, first), { last: position, affected: affectedAtMost(events) });
  }
}

function keyOf(hostId: string, first: number): string {
  return `${hostId} ${String(first)}`;
}
