import { type Fault, RuleBroken } from '../../kernel/errors.js';
import type { DriftItem } from './drift.js';

/** A finding as a request names it. */
interface NamedFinding {
  readonly toolName: string;
  readonly finding: DriftItem['finding'];
  /** Of the tool; left out, all its versions are meant. */
  readonly version?: string;
}

/** Gives for each finding that is asked for those that are found now. Throws `finding_not_current` where there is none. */
export function currentFindings(
  asked: readonly NamedFinding[],
  items: readonly DriftItem[],
): readonly (readonly DriftItem[])[] {
  const byKey = new Map<string, DriftItem[]>();
  for (const item of items) byKey.set(keyOf(item), [...(byKey.get(keyOf(item)) ?? []), item]);
  const faults: Fault[] = [];
  const found = asked.map((each, index) => {
    const { toolName, finding, version } = each;
    const current = (byKey.get(keyOf(each)) ?? []).filter(
      (item) => version === undefined || item.version === version,
    );
    if (current.length === 0) {
      const of = version === undefined ? '' : ` (version ${version})`;
      const detail = `${toolName} is not ${finding}${of} now`;
      faults.push({ pointer: `/findings/${String(index)}`, detail });
    }
    return current;
  });
  if (faults.length > 0) throw notCurrent(faults);
  return found;
}

/** That a finding does not hold any more, or that what is on record is newer than what the gateway was asked for. */
export function notCurrent(faults: readonly Fault[] = []): RuleBroken {
  const detail =
    'The gateway lists something else by now, or the catalog has changed. Look at the drift again.';
  return new RuleBroken('finding_not_current', detail, faults);
}

function keyOf({ toolName, finding }: Pick<DriftItem, 'toolName' | 'finding'>): string {
  return `${finding} ${toolName}`;
}
