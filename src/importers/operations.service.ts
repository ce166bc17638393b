import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '../documents/json.js';
import { type ApiVersionFacts, specOf, versionsOfApi } from '../endpoints/public.js';
import { DATABASE, type Database, type Sql } from '../kernel/sql.js';
import { covers } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { type GraphqlCall, keptCall } from '../registry/shared.js';
import { type CheckedOperation, Operations } from '../tools/public.js';
import { ImportPool } from './import-pool.js';

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
    const version = await versionOf(sql, visibility, call.api);
    if (typeof version === 'string') return { faults: [{ pointer: '/graphql/api', detail: version }] };
    const { apiVersionId, packed } = version;
    const faults = await this.pool.check({ call, inputSchema, packed });
    const kept = keptCall(call, apiVersionId);
    return { faults, ...(kept !== undefined && { call: kept }) };
  }
}

/** Finds the version with its document; a text says why there is none. */
async function versionOf(
  sql: Sql,
  visibility: Visibility,
  api: string,
): Promise<string | (Pick<ApiVersionFacts, 'apiVersionId'> & { readonly packed: string })> {
  const [apiId = '', number] = api.split('@');
  const known = (await versionsOfApi(sql, visibility.hostId, apiId)).filter(
    ({ apiType, serviceId, envTag }) => apiType === 'graphql' && covers(visibility, serviceId, envTag),
  );
  const versions = known.filter(({ apiVersion }) => number === undefined || apiVersion === number);
  const [version, ...others] = versions;
  if (version === undefined)
    return `names no API of type graphql that is here and that the token covers. Import the schema of ${apiId} first.`;
  if (others.length > 0)
    return `leaves open which version is meant: ${versions.map(({ apiVersion }) => `${apiId}@${apiVersion}`).join(', ')}.`;
  const document = await specOf(sql, visibility.hostId, version.apiVersionId);
  if (document === null) return `names an API that has no schema yet. Import it first.`;
  return { apiVersionId: version.apiVersionId, packed: document.packed };
}
