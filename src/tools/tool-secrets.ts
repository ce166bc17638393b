import { findSecrets, withoutSecrets } from '../platform/validation/secrets.js';
import type { NewTool } from './tool.schemas.js';

/** Something about what was sent that its author should know; it was taken in. */
export interface ToolWarning {
  readonly code: 'secret_redacted';
  /** RFC 6901. */
  readonly pointer: string;
  readonly detail: string;
}

/** The tool without secrets in its texts, which everybody reads who may see it, and where there were some. */
export async function redactedTool(
  body: NewTool,
): Promise<{ readonly body: NewTool; readonly warnings: readonly ToolWarning[] }> {
  const warnings: ToolWarning[] = [];
  const redacted = { ...body };
  for (const member of ['description', 'scriptContent'] as const) {
    const text = body[member];
    const secrets = text === undefined ? [] : await findSecrets(text);
    if (text === undefined || secrets.length === 0) continue;
    redacted[member] = withoutSecrets(text, secrets);
    const kinds = [...new Set(secrets.map(({ kind }) => kind))].join(', ');
    const detail = `What looks like a secret (${kinds}) was replaced. Change it if it is real: it has been sent.`;
    warnings.push({ code: 'secret_redacted', pointer: `/${member}`, detail });
  }
  return { body: redacted, warnings };
}
