import type { Sql } from '../../kernel/sql.js';
import type { Approval } from '../model/version.commands.js';
import { NameClaims } from '../model/tool-name.js';
import { guardsOfCall } from '../tool/called-guards.lookup.js';
import { nameClaimsOf } from '../tool/tool.lookup.js';
import type { KnownVersion } from '../tool/tool-versions.lookup.js';

/** What other tools and endpoints have to do with an approval of the version. */
export async function approvalFacts(
  sql: Sql,
  hostId: string,
  { toolId, name, envTag, content }: KnownVersion,
): Promise<Pick<Approval, 'guards' | 'taken'>> {
  const claims = new NameClaims(await nameClaimsOf(sql, hostId, [name]));
  return {
    guards: await guardsOfCall(sql, hostId, content.call),
    taken: claims.takenFrom({ toolId, name, envTag }),
  };
}
