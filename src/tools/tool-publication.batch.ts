import type { Outcome } from '../eventsourcing/command.js';
import { Invalid, NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { versionsInQuarantine } from '../endpoints/api-version.lookup.js';
import { endpointsById, endpointsWhere, type EndpointRecord } from '../endpoints/endpoint.lookup.js';
import { covers } from '../platform/auth/caller.js';
import { tierOf } from '../platform/auth/sensitivity-tier.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import type { EndpointTool } from './tool.lookup.js';
import { explainedConflicts } from './name-conflict.lookup.js';
import { withheldOf, type WithheldTool } from './withheld-tools.planner.js';
import { planPublication, type Publication, type PublicationConflict } from './tool.planner.js';
import type { PublicationBody } from './tool.schemas.js';
import type { KnownTool } from './tool.state.js';

/**
 * One request to publish endpoints. It is planned before the host's lock is taken, for it may be long; under the
 * lock it is asked whether its endpoints, their tools and the names are still as they were.
 */
export class PublicationRequest {
  /** End of the host's log before the endpoints were read. */
  private readAt = 0;
  private endpoints: readonly EndpointRecord[] = [];
  private publication: Publication | undefined;
  private conflicts: readonly PublicationConflict[] = [];
  private inQuarantine: ReadonlySet<string> = new Set();

  constructor(
    private readonly visibility: Visibility,
    private readonly body: PublicationBody,
  ) {
    if ((body.endpointIds === undefined) === (body.filter === undefined)) {
      throw new Invalid('invalid_body', 'Say which endpoints: either by endpointIds or by a filter.');
    }
  }

  async plan(sql: Sql): Promise<Publication['commands']> {
    const { hostId } = this.visibility;
    const [head] = await sql.query<{ position: number }>(
      'SELECT position FROM host_head_t WHERE host_id = $1',
      [hostId],
    );
    this.readAt = head?.position ?? 0;
    this.endpoints = await this.read(sql);
    const publication = await planPublication(sql, hostId, this.endpoints, {
      onConflict: this.body.onConflict,
      named: this.body.endpointIds !== undefined,
    });
    this.publication = publication;
    this.conflicts = await explainedConflicts(sql, this.visibility, publication.conflicts, this.endpoints);
    this.inQuarantine = await versionsInQuarantine(sql, hostId, this.endpoints);
    return publication.commands;
  }

  async stillHolds(sql: Sql): Promise<boolean> {
    const ids = this.endpoints.map(({ endpointId }) => endpointId);
    const moved = await sql.query(
      'SELECT FROM endpoint_read WHERE host_id = $1 AND endpoint_id = ANY($2::uuid[]) AND position > $3 LIMIT 1',
      [this.visibility.hostId, ids, this.readAt],
    );
    return moved.length === 0 && (await this.publication?.stillHolds(sql)) === true;
  }

  reply(outcomes: readonly Outcome[], position: number): Reply {
    const { unchanged = [], leftOut = [] } = this.publication ?? {};
    const published = outcomes.map(publishedItem);
    const standing = unchanged.map(standingItem);
    const all = new Map([...published, ...standing].map((item) => [item.endpointId, item]));
    const body = {
      published: published.length,
      unchanged: standing.length,
      conflicts: [...this.conflicts, ...this.inactive()],
      leftOut,
      withheld: this.withheld(),
      items: this.endpoints.flatMap(({ endpointId }) => all.get(endpointId) ?? []),
      position: standing.reduce((last, item) => Math.max(last, item.position), position),
    };
    return { status: 200, headers: {}, body: JSON.stringify(body) };
  }

  /** Those that are published and that agents are not given yet. */
  private withheld(): readonly WithheldTool[] {
    const published = this.publication?.commands ?? [];
    return withheldOf(published.filter(({ payload }) => this.inQuarantine.has(payload.apiVersionId)));
  }

  private async read(sql: Sql): Promise<readonly EndpointRecord[]> {
    const { visibility, body } = this;
    if (body.filter !== undefined) return endpointsWhere(sql, visibility, { ...body.filter, active: true });
    const asked = body.endpointIds ?? [];
    const found = await endpointsById(sql, visibility.hostId, asked);
    const seen = found.filter((endpoint) => isVisible(visibility, endpoint));
    const known = new Set(seen.map(({ endpointId }) => endpointId));
    const missing = asked.find((id) => !known.has(id));
    if (missing !== undefined) throw new NotFound('endpoint', missing);
    return seen;
  }

  /** What was asked for and is not offered. */
  private inactive(): PublicationConflict[] {
    const detail =
      'The endpoint is inactive: it has vanished from its source, or an operator has switched it, its API version or its API off.';
    return (this.publication?.inactive ?? []).map(({ endpointId, endpoint, facts: { name } }) => {
      return { endpointId, endpoint, name, code: 'endpoint_inactive', detail };
    });
  }
}

function publishedItem({ id, version, position, after }: Outcome) {
  const { endpointId, name, version: toolVersion } = after as KnownTool;
  return { id, version, position, changed: true, endpointId, name, toolVersion, active: true };
}

function standingItem(tool: EndpointTool) {
  const { toolId: id, aggregateVersion, position, endpointId, name, version: toolVersion, active } = tool;
  return { id, version: aggregateVersion, position, changed: false, endpointId, name, toolVersion, active };
}

/** Contract 2, as the lists of endpoints have it. */
function isVisible(
  visibility: Visibility,
  { endpointId, serviceId, envTag, facts }: EndpointRecord,
): boolean {
  const { tiers, within } = visibility;
  return (
    covers(visibility, serviceId, envTag) &&
    (tiers === 'all' || tiers.includes(tierOf(facts.routing.sensitivityTier))) &&
    (within === undefined || within.endpointIds.includes(endpointId))
  );
}
