import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '../documents/json.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { type CompositeCall, type GraphqlCall, keptCall, type KeptComposite } from '../registry/shared.js';
import { type CheckedOperation, Operations } from '../tools/public.js';
import { schemaOf } from './called-apis.lookup.js';
import { ImportPool } from './import-pool.js';
import { keptSteps, stepTargets } from './step-targets.lookup.js';

/** Checks the operations that specs of tools say, off the main thread. */
@Injectable()
export class CheckedOperations extends Operations {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly pool: ImportPool,
  ) {
    super();
  }

  override async checked(
    visibility: Visibility,
    call: GraphqlCall,
    inputSchema: JsonObject,
  ): Promise<CheckedOperation> {
    const sql = this.database.of(visibility.hostId);
    const version = await schemaOf(sql, visibility, call.api);
    if (typeof version === 'string') return { faults: [{ pointer: '/graphql/api', detail: version }] };
    const { apiVersionId, packed } = version;
    const { faults, untried, cost } = await this.pool.check({ call, inputSchema, packed }, visibility.hostId);
    const kept = keptCall(call, { apiVersionId, ...(cost !== undefined && { cost }) });
    return { faults: [...faults, ...untried], ...(kept !== undefined && { call: kept }) };
  }

  override async checkedSteps(
    visibility: Visibility,
    composite: CompositeCall,
    spec: { readonly inputSchema: JsonObject; readonly readOnlyHint: boolean },
  ): Promise<CheckedOperation<KeptComposite>> {
    const sql = this.database.of(visibility.hostId);
    const targets = await stepTargets(sql, visibility, composite);
    if (targets.faults.length > 0) return { faults: targets.faults };
    const { schemas, endpoints } = targets;
    const task = {
      ...{ composite, ...spec },
      schemas: [...schemas].map(([api, { packed }]) => [api, packed] as const),
      endpoints: [...endpoints].map(([name, { shape }]) => [name, shape] as const),
    };
    const { steps, ...tried } = await this.pool.checkSteps(task, visibility.hostId);
    const faults = [...tried.faults, ...tried.untried];
    return faults.length > 0 ? { faults } : keptSteps(sql, visibility, composite, { targets, steps });
  }
}
