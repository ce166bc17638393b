import { randomUUID } from 'node:crypto';
import { ImpactQuery } from '../../../src/agents/impact.queries.js';
import { endpointHandlers } from '../../../src/endpoints/endpoint/endpoint.routes.js';
import { endpointSlice } from '../../../src/endpoints/endpoint.slice.js';
import { CommandEngine } from '../../../src/kernel/command-engine.js';
import type { WriteContext } from '../../../src/kernel/command.js';
import { Domain } from '../../../src/kernel/domain.js';
import type { Database, Sql } from '../../../src/kernel/sql.js';
import { versionFor } from '../../../src/importers/import-target.planner.js';
import { planImport, type PlannedImport } from '../../../src/importers/import.planner.js';
import { readImport } from '../../../src/importers/read-import.worker.js';
import type { Caller } from '../../../src/platform/auth/caller.js';
import { visibilityOf, type Visibility } from '../../../src/platform/auth/visibility.js';
import type { UseCase, Writer } from '../../../src/platform/use-cases/use-case.js';
import { toolSlice } from '../../../src/tools/tool.slice.js';
import { execute } from '../execute.js';

/** What of an import's report the tests look at. */
export interface Report {
  readonly apiVersionId: string;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deactivated: number;
  readonly reactivated: number;
  readonly items: readonly { readonly endpointId: string; readonly endpoint: string }[];
}

/** A document with a GET operation under each name, described by the text. */
export function documentOf(names: readonly string[], text = 'Does it.'): object {
  const operation = (name: string) => ({ get: { operationId: name, description: text, responses: {} } });
  const paths = Object.fromEntries(names.map((name) => [`/${name}`, operation(name)]));
  return { openapi: '3.1.0', info: { title: 'Accounts', version: '1' }, paths };
}

/** One host with endpoints and tools, written to on the road that requests take below HTTP. */
export class EndpointWorld {
  readonly hostId = randomUUID();
  readonly domain = new Domain([endpointSlice, toolSlice]);
  readonly engine: CommandEngine;
  readonly caller: Caller;
  readonly visibility: Visibility;

  constructor(readonly database: Database) {
    this.engine = new CommandEngine(database, this.domain, { committed: () => undefined });
    this.caller = {
      actor: { user: 'olga' },
      issuer: 'test',
      hostId: this.hostId,
      services: ['accounts'],
      environments: ['dev'],
      scopes: new Set(['catalog:write', 'catalog:admin']),
      expiresAt: 0,
      fingerprint: '',
    };
    this.visibility = visibilityOf(this.caller);
  }

  get context(): WriteContext {
    return { hostId: this.hostId, actor: this.caller.actor, correlationId: randomUUID() };
  }

  /** Carries out a use case as a request does. */
  execute<Result extends object>(
    useCase: new (writer: Writer, input: never) => UseCase<unknown, Result>,
    input: object,
  ): Promise<Result> {
    const { context, caller, visibility } = this;
    const made = new useCase({ context, caller, visibility }, input as never);
    return execute(this, endpointHandlers, made, new ImpactQuery());
  }

  async import(document: object, publish = false, apiVersion = '1'): Promise<Report> {
    const body = JSON.stringify({ document });
    const read = await readImport({ body, mediaType: 'application/json', holds: 'document' });
    if (read.document === undefined) throw new Error(read.refusal?.detail);
    const madeFrom = read.document;
    const wanted = {
      apiId: 'accounts',
      apiVersion,
      serviceId: 'accounts',
      envTag: 'dev',
      apiType: undefined,
      madeFrom,
    };
    const how = { layer: 'source', publish, onConflict: 'report', createTags: false } as const;
    const impact = new ImpactQuery();
    // Nobody has written operations here: a schema of GraphQL has none to be held against.
    const known = {
      operations: { faultsOf: () => Promise.resolve([]) },
      links: { takers: () => Promise.resolve([]) },
    };
    const request = { document: madeFrom, ...how, visibility: this.visibility, impact, known };
    const plan = async (sql: Sql) => planImport(sql, request, await versionFor(sql, this, wanted));
    let planned: PlannedImport | undefined;
    const report = await this.engine.execute({
      context: this.context,
      prepare: plan,
      async commands(sql, made: PlannedImport) {
        planned = made;
        return (await made.revalidate(sql)) ? made.commands : 'outdated';
      },
      result: (_outcomes, position) => planned?.report(position),
    });
    return report as Report;
  }

  /** Rows of a table of this host, all columns, ordered by key. */
  async rows(
    table: 'api_t' | 'api_version_t' | 'api_endpoint_t',
  ): Promise<readonly Record<string, unknown>[]> {
    return this.database.asOwner.query(`SELECT * FROM ${table} WHERE host_id = $1 ORDER BY 1, 2`, [
      this.hostId,
    ]);
  }

  async log(): Promise<readonly { readonly event_type: string; readonly aggregate_id: string }[]> {
    return this.database.asOwner.query(
      'SELECT event_type, aggregate_id FROM event_store_t WHERE host_id = $1 ORDER BY position',
      [this.hostId],
    );
  }
}
