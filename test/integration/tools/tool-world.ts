import { createHash, randomUUID } from 'node:crypto';
import { v5, v7 } from 'uuid';
import { ImpactQuery } from '../../../src/agents/impact.queries.js';
import { apiVersion as versionOfApi } from '../../../src/endpoints/api-version/api-version.record.js';
import { api } from '../../../src/endpoints/api/api.record.js';
import { ImportEndpoint, VanishEndpoint } from '../../../src/endpoints/endpoint/endpoint.decider.js';
import { endpointSlice } from '../../../src/endpoints/endpoint.slice.js';
import type { EndpointFacts } from '../../../src/formats/endpoint-facts.js';
import { CommandEngine } from '../../../src/kernel/command-engine.js';
import type { UnitOfWork } from '../../../src/kernel/unit-of-work.js';
import type { Command, WriteContext } from '../../../src/kernel/command.js';
import { Domain } from '../../../src/kernel/domain.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import type { Slice } from '../../../src/kernel/slice.js';
import type { Database } from '../../../src/kernel/sql.js';
import type { Caller } from '../../../src/platform/auth/caller.js';
import { visibilityOf, type Visibility } from '../../../src/platform/auth/visibility.js';
import type { UseCase, Writer } from '../../../src/platform/use-cases/use-case.js';

import { publishToolsHandler, PublishTools } from '../../../src/tools/publication/publication.batch.js';
import { SkillVersionLinks } from '../../../src/skills/links/version-links.lookup.js';
import { VersionMoves } from '../../../src/tools/version/version-moves.lookup.js';
import { CreateTool, toolHandlers, UpdateTool } from '../../../src/tools/tool/tool-writes.planner.js';
import type { PublicationBody, ToolListQuery, ToolPatch } from '../../../src/tools/tool/tool.schemas.js';
import { toolSlice } from '../../../src/tools/tool.slice.js';
import { toolProjection } from '../../../src/tools/tool/tools.projection.js';
import { acceptanceHandler, AcceptTool } from '../../../src/reviews/approval/changes-acceptance.planner.js';
import { waitingVersionOf } from '../../../src/tools/tool/tool-versions.lookup.js';
import { getTool, listTools } from '../../../src/tools/tool/tools.queries.js';
import { carryOut, execute } from '../execute.js';

/** An API version with the environment that it serves. */
export interface Version {
  readonly apiId: string;
  readonly apiVersionId: string;
  readonly envTag: string | null;
}

export interface PublicationReport {
  readonly published: number;
  readonly unchanged: number;
  readonly conflicts: readonly { readonly endpointId: string; readonly code: string }[];
  readonly items: readonly { readonly id: string; readonly name: string; readonly endpointId: string }[];
  readonly position: number;
}

/** One host with endpoints and tools, written to on the road that requests take below HTTP. */
export class ToolWorld {
  readonly hostId = randomUUID();
  readonly domain: Domain;
  readonly engine: CommandEngine;
  readonly caller: Caller;
  readonly visibility: Visibility;

  /** With the slices above that a suite needs. */
  constructor(
    readonly database: Database,
    above: readonly Slice[] = [],
  ) {
    this.domain = new Domain([endpointSlice, toolSlice, ...above]);
    this.engine = new CommandEngine(database, this.domain, { committed: () => undefined });
    this.caller = {
      ...{ actor: { user: 'olga' }, issuer: 'test', hostId: this.hostId, expiresAt: 0, fingerprint: '' },
      ...{
        services: ['accounts'],
        environments: ['dev', 'prod'],
        scopes: new Set(['catalog:write', 'catalog:approve', 'catalog:admin']),
      },
    };
    this.visibility = visibilityOf(this.caller);
  }

  async version(apiId: string, envTag: string | null = 'dev', apiVersion = '1'): Promise<Version> {
    const apiVersionId = v7();
    const version = {
      apiId,
      apiVersion,
      apiType: 'openapi' as const,
      serviceId: 'accounts',
      envTag,
      quarantine: false,
    };
    await this.write(() => [
      ...(apiVersion === '1' ? [api.create(this.hostId, apiId, { apiName: apiId })] : []),
      versionOfApi.create(this.hostId, apiVersionId, version),
    ]);
    return { apiId, apiVersionId, envTag };
  }

  /** What the source's document says of one endpoint, by key. */
  saying(
    { apiId, apiVersionId, envTag }: Version,
    endpoint: string,
    said: EndpointFacts = {},
  ): ImportEndpoint {
    const [path = '', method = ''] = endpoint.split('@');
    const name = path.replace(/\W+/g, '');
    const facts = {
      method,
      path,
      name,
      description: `About ${path}`,
      inputSchema: { type: 'object' },
      ...said,
    };
    const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
    const origin = { apiId, apiVersionId, serviceId: 'accounts', envTag };
    const imported = { ...origin, endpoint, layer: 'source' as const, digest, facts, mayLoosen: true };
    return new ImportEndpoint(this.hostId, v5(endpoint, apiVersionId), imported, false);
  }

  silencing({ apiVersionId }: Version, endpoint: string): VanishEndpoint {
    return new VanishEndpoint(this.hostId, v5(endpoint, apiVersionId), { layer: 'source' });
  }

  async write(
    plan: UnitOfWork<unknown>['commands'],
  ): Promise<{ readonly id: string; readonly changed: boolean }> {
    const [receipt] = await carryOut(this.engine, this.context, plan);
    if (receipt === undefined) throw new Error('The write has no command.');
    return receipt;
  }

  carryOut(...commands: readonly Command[]): Promise<{ readonly id: string }> {
    return this.write(() => commands);
  }

  /** Carries out a use case as a request does; `needs` are what its handler is given beside the engine. */
  execute<Result extends object>(
    useCase: new (writer: Writer, input: never) => UseCase<unknown, Result>,
    input: object,
    visibility = this.visibility,
    needs: readonly object[] = [new ImpactQuery()],
  ): Promise<Result> {
    const { context, caller } = this;
    const made = new useCase({ context, caller, visibility }, input as never);
    return execute(this, [...toolHandlers, acceptanceHandler, publishToolsHandler], made, ...needs);
  }

  publish(body: Partial<PublicationBody>, visibility = this.visibility): Promise<PublicationReport> {
    const input = { onConflict: 'report', ...body };
    return this.execute(PublishTools, input, visibility) as Promise<object> as Promise<PublicationReport>;
  }

  /** Publishes all of a version. */
  publishAll(
    { apiVersionId }: Version,
    onConflict: 'report' | 'prefix' = 'report',
  ): Promise<PublicationReport> {
    return this.publish({ filter: { apiVersionId }, onConflict });
  }

  createTool(name: string): Promise<{ readonly id: string }> {
    const body = {
      name,
      description: name,
      implementationType: 'python' as const,
      inputSchema: { type: 'object' },
    };
    return this.execute(CreateTool, body);
  }

  updateTool(toolId: string, patch: ToolPatch): Promise<{ readonly version: number }> {
    return this.execute(UpdateTool, { toolId, ...patch });
  }

  async acceptTool(toolId: string): Promise<{ readonly version: number }> {
    const waiting = await waitingVersionOf(this.database.of(this.hostId), this.hostId, toolId);
    const digest = waiting && { digest: waiting.digest };
    const input = { toolId, ...digest, override: { reason: 'Looked at by hand.' } };
    const moves = new VersionMoves(new SkillVersionLinks(), new ImpactQuery());
    return this.execute(AcceptTool, input, this.visibility, [moves]);
  }

  tool(toolId: string, visibility = this.visibility) {
    return getTool(this.database.of(this.hostId), visibility, toolId);
  }

  /** The tools of the host by name, whoever asks. */
  async tools(filter: Partial<ToolListQuery> = {}) {
    const query = { limit: 500, active: 'all' as const, ...filter };
    return (await listTools(this.database.of(this.hostId), this.visibility, query)).items;
  }

  /** The one tool of the host that has this name. */
  async toolNamed(name: string) {
    const found = await this.tools({ name });
    if (found.length !== 1 || found[0] === undefined)
      throw new Error(`${String(found.length)} tools ${name}.`);
    return this.tool(found[0].toolId);
  }

  /** All that the slice has in its tables, for comparison. */
  async rows(): Promise<unknown> {
    const of = (table: string, key: string) =>
      this.database.asOwner.query(`SELECT * FROM ${table} WHERE host_id = $1 ORDER BY ${key}`, [this.hostId]);
    return [
      await of('tool_t', 'tool_id'),
      await of('tool_name_t', 'tool_id'),
      await of('tool_param_t', 'param_id'),
    ];
  }

  /** Empties the slice's tables and fills them from the log again, so many events at a time. */
  async replay(size: number): Promise<void> {
    const { hostId, database } = this;
    for (const table of toolProjection.tables)
      await database.asOwner.query(`DELETE FROM ${table} WHERE host_id = $1`, [hostId]);
    const events = await new EventStore(database.of(hostId), this.domain.types).readLog(hostId, 0, 10_000);
    const own = events.filter(({ type }) => toolProjection.handles.includes(type));
    for (let from = 0; from < own.length; from += size)
      await database.asOwner.transaction(async (tx) =>
        toolProjection.apply(tx, own.slice(from, from + size)),
      );
  }

  /** Who writes by a use case. */
  get writer(): Writer {
    return { context: this.context, caller: this.caller, visibility: this.visibility };
  }

  private get context(): WriteContext {
    return { hostId: this.hostId, actor: this.caller.actor, correlationId: randomUUID() };
  }
}
