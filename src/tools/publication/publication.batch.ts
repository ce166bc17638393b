import type { Outcome } from '../../kernel/command.js';
import { Invalid, NotFound } from '../../kernel/errors.js';
import { headPosition } from '../../kernel/heads.js';
import type { Sql } from '../../kernel/sql.js';
import { type EndpointRecord, endpointsById, endpointsWhere } from '../../endpoints/public.js';
import { tierOf } from '../../platform/auth/sensitivity-tier.js';
import { sees, type Visibility } from '../../platform/auth/visibility.js';
import { handle, UseCase } from '../../platform/use-cases/use-case.js';
import type { EndpointTool } from '../tool/tool.lookup.js';
import {
  explainedConflicts,
  planPublication,
  type Publication,
  type PublicationConflict,
} from './publication.planner.js';
import { withheldOf, type WithheldTool } from '../tool/withheld-tools.planner.js';
import type { PublicationBody } from '../tool/tool.schemas.js';
import type { KnownTool } from '../model/tool.state.js';

/** The result of a publication. */
export interface Published {
  readonly published: number;
  readonly unchanged: number;
  readonly conflicts: readonly PublicationConflict[];
  readonly leftOut: Publication['leftOut'];
  /** Returns the published tools that agents are not given yet. */
  readonly withheld: readonly WithheldTool[];
  readonly items: readonly object[];
  readonly position: number;
}

/** Publishes endpoints as tools. What is published already stays as it is. */
export class PublishTools extends UseCase<PublicationBody, Published> {}

export const publishToolsHandler = handle(PublishTools, {
  check({ endpointIds, filter }) {
    if ((endpointIds === undefined) !== (filter === undefined)) return;
    throw new Invalid('invalid_body', 'Say which endpoints: either by endpointIds or by a filter.');
  },
  async load(sql, body, { visibility }) {
    const request = new PublicationRequest(visibility, body);
    return { request, commands: await request.plan(sql) };
  },
  revalidate: (sql, { request }) => request.revalidate(sql),
  decide: ({ commands }) => commands,
  result: (outcomes, position, { request }) => request.report(outcomes, position),
});

/** One request to publish endpoints. Under the lock it checks that the endpoints, their tools and the names have not changed since the plan. */
class PublicationRequest {
  /** End of the host's log before the endpoints were read. */
  private readAt = 0;
  private endpoints: readonly EndpointRecord[] = [];
  private publication: Publication | undefined;
  private conflicts: readonly PublicationConflict[] = [];

  constructor(
    private readonly visibility: Visibility,
    private readonly body: PublicationBody,
  ) {}

  async plan(sql: Sql): Promise<Publication['commands']> {
    const { hostId } = this.visibility;
    this.readAt = await headPosition(sql, hostId);
    this.endpoints = await this.read(sql);
    const publication = await planPublication(sql, hostId, this.endpoints, {
      onConflict: this.body.onConflict,
      named: this.body.endpointIds !== undefined,
    });
    this.publication = publication;
    this.conflicts = await explainedConflicts(sql, this.visibility, publication.conflicts, this.endpoints);
    return publication.commands;
  }

  async revalidate(sql: Sql): Promise<boolean> {
    const ids = this.endpoints.map(({ endpointId }) => endpointId);
    const moved = await sql.query(
      'SELECT FROM endpoint_read WHERE host_id = $1 AND endpoint_id = ANY($2::uuid[]) AND position > $3 LIMIT 1',
      [this.visibility.hostId, ids, this.readAt],
    );
    return moved.length === 0 && (await this.publication?.revalidate(sql)) === true;
  }

  report(outcomes: readonly Outcome[], position: number): Published {
    const { unchanged = [], leftOut = [] } = this.publication ?? {};
    const published = outcomes.map(publishedItem);
    const present = unchanged.map(unchangedItem);
    const all = new Map([...published, ...present].map((item) => [item.endpointId, item]));
    return {
      published: published.length,
      unchanged: present.length,
      conflicts: [...this.conflicts, ...this.inactive()],
      leftOut,
      withheld: this.withheld(),
      items: this.endpoints.flatMap(({ endpointId }) => all.get(endpointId) ?? []),
      position: present.reduce((last, item) => Math.max(last, item.position), position),
    };
  }

  /** Returns the published tools that agents are not given yet. */
  private withheld(): readonly WithheldTool[] {
    const published = this.publication?.commands ?? [];
    return withheldOf(published);
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

  /** Reports endpoints that were asked for and are inactive. */
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

function unchangedItem(tool: EndpointTool) {
  const { toolId: id, aggregateVersion, position, endpointId, name, version: toolVersion, active } = tool;
  return { id, version: aggregateVersion, position, changed: false, endpointId, name, toolVersion, active };
}

function isVisible(
  visibility: Visibility,
  { endpointId, serviceId, envTag, facts }: EndpointRecord,
): boolean {
  const row = { serviceId, envTag, tier: tierOf(facts.routing.sensitivityTier) };
  return sees(visibility, row, (within) => within.endpointIds.includes(endpointId));
}
