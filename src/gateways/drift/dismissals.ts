import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.js';
import { Pace } from '../../kernel/pace.js';
import type { DriftItem, LiveTool } from './drift.js';
import type { DriftRecord } from './drift.events.js';

/** Findings that hold nothing of what the gateway lists: the digest of that counts with them. */
const bare: readonly DriftItem['finding'][] = ['not_in_catalog', 'inactive_in_catalog'];
/** Findings of which a tool may have one for each version; the version of others only says what is compared. */
const ofVersions: readonly string[] = ['version_not_served', 'operation_unfit', 'variables_unfit'];

/** What the gateway lists: the digest of each tool, by name. */
export type Listed = ReadonlyMap<string, string>;

export function listedBy(live: readonly LiveTool[]): Listed {
  return new Map(live.map(({ name, digest }) => [name, digest]));
}

/** Hex SHA-256 of all that a finding says. */
export function digestOf({ dismissed: _, version: __, ...said }: DriftItem, listed: Listed): string {
  const lists = bare.includes(said.finding) ? listed.get(said.toolName) : undefined;
  return sha256Hex(canonicalJson({ ...said, lists }));
}

/**
 * The findings, those marked that were dismissed on record and say the same still. Yields to the event loop between those that it
 * compares.
 */
export async function marked(
  items: readonly DriftItem[],
  recorded: DriftRecord['findings'],
  listed: Listed,
): Promise<readonly DriftItem[]> {
  const known = new Map(
    recorded.flatMap((each) => (each.dismissed === undefined ? [] : [[keyOf(each), each.dismissed]])),
  );
  if (known.size === 0) return items;
  const pace = new Pace();
  const all: DriftItem[] = [];
  for (const item of items) {
    const dismissed = known.get(keyOf(item));
    const isSame = dismissed !== undefined && dismissed.digest === digestOf(item, listed);
    all.push(isSame ? { ...item, dismissed } : item);
    await pace.step();
  }
  return all;
}

function keyOf({ toolName, finding, version = '' }: DriftItem | DriftRecord['findings'][number]): string {
  return `${finding} ${ofVersions.includes(finding) ? version : ''} ${toolName}`;
}
