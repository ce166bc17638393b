import type { Invalid } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { refuseUnlessKept } from '../../registry/shared.js';
import { versionsOf } from './tool-versions.lookup.js';

interface Given {
  readonly toolId: string;
  readonly inputSchema: object | undefined;
  readonly outputSchema: object | null | undefined;
}

/** Throws the refusal of schemas that go beyond a limit which came later, unless versions of the tool have them. */
export async function refuseNewSchemas(
  sql: Sql,
  { hostId }: Visibility,
  { toolId, ...given }: Given,
  refusal: Invalid | undefined,
): Promise<void> {
  if (refusal === undefined) return;
  const kept = await versionsOf(sql, hostId, [toolId]);
  refuseUnlessKept(
    refusal,
    given,
    kept.map(({ content }) => content),
  );
}
