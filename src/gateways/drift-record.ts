import type { DriftItem } from './drift.js';
import type { DriftRecord } from './drift.events.js';

interface Checked {
  readonly checkedAt: string;
  readonly protocolVersion: string;
}

/** What is kept of a check: the findings without the texts that they are about. */
export function recordOf({ checkedAt, protocolVersion }: Checked, items: readonly DriftItem[]): DriftRecord {
  const findings = items
    .filter(({ finding }) => finding !== 'in_sync')
    .map(({ toolName, toolId = null, finding, grade = null, reason = null }) => ({
      ...{ toolName, toolId, finding, grade, reason },
    }));
  return { checkedAt, protocolVersion, failure: null, findings };
}

/** The findings that are left when some were accepted. */
export function remaining(items: readonly DriftItem[], accepted: readonly DriftItem[]): DriftItem[] {
  const taken = new Set(accepted);
  return items.filter((item) => !taken.has(item));
}

/** A check that failed. */
export function failureOf(checkedAt: string, code: string, detail: string): DriftRecord {
  return { checkedAt, protocolVersion: null, failure: { code, detail }, findings: [] };
}
