import { type ApiVersionFacts, specOf, versionsOfApi } from '../endpoints/public.js';
import type { Sql } from '../kernel/sql.js';
import { covers } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';

/** A version of an API of GraphQL, with its schema as it is stored. */
export interface StoredSchema {
  readonly apiVersionId: string;
  readonly packed: string;
}

/** Finds the schema of the API that a spec names; a text says why there is none. */
export async function schemaOf(
  sql: Sql,
  visibility: Visibility,
  api: string,
): Promise<string | StoredSchema> {
  const version = await versionCalled(sql, visibility, api, 'graphql');
  if (typeof version === 'string') return version;
  const document = await specOf(sql, visibility.hostId, version.apiVersionId);
  if (document === null) return `names an API that has no schema yet. Import it first.`;
  return { apiVersionId: version.apiVersionId, packed: document.packed };
}

/** Finds the version of the API that a spec names, by apiId or apiId@version; a text says why there is none. */
export async function versionCalled(
  sql: Sql,
  visibility: Visibility,
  api: string,
  kind: 'graphql' | 'http',
): Promise<string | ApiVersionFacts> {
  const [apiId = '', number] = api.split('@');
  const known = (await versionsOfApi(sql, visibility.hostId, apiId)).filter(
    ({ apiType, serviceId, envTag }) =>
      (apiType === 'graphql') === (kind === 'graphql') && covers(visibility, serviceId, envTag),
  );
  const versions = known.filter(({ apiVersion }) => number === undefined || apiVersion === number);
  const [version, ...others] = versions;
  if (version === undefined) {
    const [type, what] =
      kind === 'graphql' ? ['of type graphql', 'the schema'] : ['with endpoints of HTTP', 'the document'];
    return `names no API ${type} that is here and that the token covers. Import ${what} of ${apiId} first.`;
  }
  if (others.length > 0)
    return `leaves open which version is meant: ${versions.map(({ apiVersion }) => `${apiId}@${apiVersion}`).join(', ')}.`;
  return version;
}
