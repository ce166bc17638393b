/** What versions that wait say, and which of them another takes up. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { compareVersions } from '../../registry/shared.js';
import { effectiveFields, guardsIn } from './tool-change.js';
import type { ToolFields, ToolOverrides } from './tool-facts.js';
import type { ToolUpdated } from './tool.events.js';
import { isLive, type KnownTool, type ToolVersion, type VersionState } from './tool.state.js';

export type Content = ToolVersion['content'];

/** What agents are given of a version; the guards are those of the tool. */
export function effectiveOf(overrides: ToolOverrides, { words, overrides: own }: Content): ToolFields {
  return effectiveFields(words, own === undefined ? overrides : guardsIn(own, overrides));
}

interface Continuing {
  readonly version: string;
  readonly content: Content;
  /** The version that waits and that it takes up for certain. */
  readonly open: string | undefined;
}

/**
 * The versions that nobody has approved and that this one may take up: those after the one before it that agents may be given, and
 * whatever says the same. What one of them continues itself is named by that one: so a tool that changes often names few.
 */
export function continuedBy(
  { versions }: KnownTool,
  { version, content, open }: Continuing,
): readonly string[] {
  const said = ({ words, invocation, outputSchema }: Content) => [
    ...[words.description, words.routing, invocation.inputSchema, invocation.call, outputSchema],
  ];
  const earlier = Object.keys(versions).filter(
    (other) => isLive(versions[other]) && compareVersions(other, version) < 0,
  );
  const base = earlier.sort((one, other) => compareVersions(other, one))[0];
  const taken = Object.entries(versions).filter(([other, known]) => {
    if (other === version || known === undefined || !isUndecided(known.state, 'rejected')) return false;
    const isLater = base === undefined || compareVersions(other, base) > 0;
    return other === open || isLater || isDeepStrictEqual(said(known.content), said(content));
  });
  const settled = new Set(taken.flatMap(([, known]) => known?.settled ?? []));
  return taken.map(([other]) => other).filter((other) => !settled.has(other));
}

function isUndecided(state: VersionState, or?: VersionState): boolean {
  return state === 'draft' || state === 'in_review' || state === or;
}

/** The versions that wait and that agents would be given otherwise with these overrides; what nobody has seen is not approved. */
export function waitingWith(tool: KnownTool, overrides: ToolOverrides): Pick<ToolUpdated['data'], 'waiting'> {
  const waiting = Object.entries(tool.versions).flatMap(([version, known]) => {
    if (known === undefined || !isUndecided(known.state)) return [];
    const effective = effectiveOf(overrides, known.content);
    if (isDeepStrictEqual(effective, effectiveOf(tool.overrides, known.content))) return [];
    return [{ version, content: { ...known.content, effective } }];
  });
  return waiting.length === 0 ? {} : { waiting };
}
