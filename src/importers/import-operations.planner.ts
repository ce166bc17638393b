import { isDeepStrictEqual } from 'node:util';
import type { Command } from '../kernel/command.js';
import type { Sql } from '../kernel/sql.js';
import { type CallFault, type CallingVersion, versionsCalling, type VersionLinks } from '../tools/public.js';
import { JudgeToolCall } from '../tools/shared.js';
import type { HeldOperations } from './held-operations.service.js';
import type { Incoming } from './step-facts.lookup.js';

/** What knows the written operations, and who takes them. */
export interface OperationsKnown {
  readonly operations: Pick<HeldOperations, 'faultsOf'>;
  readonly links: Pick<VersionLinks, 'takers'>;
}

/** A version whose operation or whose step the document breaks, or makes fit again. */
export interface ChangedOperation extends Pick<CallingVersion, 'toolId' | 'toolName' | 'version' | 'state'> {
  readonly change: 'breaks' | 'fits_again';
  readonly grade: 'breaking' | 'compatible';
  readonly code?: CallFault['code'];
  readonly faults: readonly string[];
  /** Names of the skills whose agents are given the version. */
  readonly skills: readonly string[];
}

export interface PlannedOperations {
  readonly commands: readonly Command[];
  /** Those that break or fit again, by name of the tool, then version. */
  readonly changed: readonly ChangedOperation[];
  /** Tells, under the host's lock, whether the plan still holds. */
  revalidate(sql: Sql): Promise<boolean>;
}

/** Holds all operations and steps that people have written for an API version against the document that comes. */
export async function planOperations(
  sql: Sql,
  hostId: string,
  incoming: Incoming,
  { operations, links }: OperationsKnown,
): Promise<PlannedOperations> {
  const { apiVersionId } = incoming;
  const versions = await versionsCalling(sql, hostId, apiVersionId);
  if (versions.length === 0)
    return { ...nothingHeld, revalidate: stillCalled(hostId, apiVersionId, versions) };
  const faults = await operations.faultsOf(sql, hostId, versions, incoming);
  const judged = versions.map((version, place) => ({ ...version, now: faults[place] ?? null }));
  const moved = judged.filter(({ fault, now }) => !isDeepStrictEqual(fault, now));
  const ids = [...new Set(moved.map(({ toolId }) => toolId))];
  const taken = ids.length === 0 ? [] : await links.takers(sql, hostId, ids);
  const takers = new Map(taken.map(({ toolId, version, skills }) => [`${toolId} ${version}`, skills]));
  return {
    commands: moved.map(
      ({ toolId, version, now }) => new JudgeToolCall(hostId, toolId, { version, fault: now }),
    ),
    changed: moved.map(({ toolId, toolName, version, state, now }) => ({
      ...{ toolId, toolName, version, state },
      ...(now === null
        ? { change: 'fits_again' as const, grade: 'compatible' as const, faults: [] }
        : { change: 'breaks' as const, grade: 'breaking' as const, code: now.code, faults: now.details }),
      skills: takers.get(`${toolId} ${version}`) ?? [],
    })),
    revalidate: stillCalled(hostId, apiVersionId, versions),
  };
}

/** Of an import that changes nothing which an operation or a step may call. */
export const nothingHeld: PlannedOperations = {
  commands: [],
  changed: [],
  revalidate: () => Promise.resolve(true),
};

/** A version that was written meanwhile was held against the schema of before. */
function stillCalled(hostId: string, apiVersionId: string, versions: readonly CallingVersion[]) {
  return async (sql: Sql): Promise<boolean> =>
    isDeepStrictEqual(await versionsCalling(sql, hostId, apiVersionId), versions);
}
