/** How versions are written before anybody has approved them. Pure. */
import { RuleBroken } from '../../kernel/errors.js';
import type { ToolEvent } from './tool.events.js';
import { type KnownTool, openDraft, type ToolVersion, type VersionState } from './tool.state.js';
import type { DraftToolVersion } from './version.commands.js';
import { type Content, continuedBy, effectiveOf } from './waiting-versions.js';

/** Drafts of one tool that nobody has submitted, which every write on it reads, and how often one may be written: each stays in the log. */
const MAX_DRAFTS = 20;
const MAX_WRITTEN = 100;

export const spoken: Record<VersionState, string> = {
  draft: 'a draft',
  in_review: 'in review',
  approved: 'approved',
  deprecated: 'deprecated',
  retired: 'retired',
  rejected: 'rejected',
};

export function drafted(
  tool: KnownTool,
  { version, content, ...texts }: DraftToolVersion['payload'],
): readonly ToolEvent[] {
  const known = tool.versions[version];
  if (known !== undefined && known.state !== 'draft') {
    const detail = `Version ${version} of ${tool.name} is ${spoken[known.state]} and can't be written again. Take the next number.`;
    throw new RuleBroken('version_exists', detail);
  }
  refuseManyDrafts(tool, version);
  return [draftEvent(tool, version, content, { origin: 'spec', state: 'draft', ...texts })];
}

interface DraftTerms extends Pick<
  DraftToolVersion['payload'],
  'specText' | 'evalConfig' | 'evalConfigText' | 'about' | 'accepted'
> {
  readonly origin: ToolVersion['origin'];
  readonly state: 'draft' | 'in_review';
}

export function draftEvent(
  tool: KnownTool,
  version: string,
  content: Content,
  { evalConfig, about, accepted = [], ...terms }: DraftTerms,
): ToolEvent {
  const effective = effectiveOf(tool.overrides, content);
  // The source goes on with what an operator wrote of the version that waits, whatever came between.
  const open = terms.origin === 'source' ? openDraft(tool)?.version : undefined;
  const continues = continuedBy(tool, { version, content, open });
  const written = (tool.versions[version]?.written ?? 0) + 1;
  const kept = {
    ...(terms.state === 'draft' && written > 1 && { written }),
    ...(evalConfig !== undefined && { evalConfig: evalConfig && { ...evalConfig } }),
    ...(about && { about }),
    ...(accepted.length > 0 && { accepted: accepted.map((each) => ({ ...each })) }),
    ...(continues.length > 0 && { continues: [...continues] }),
  };
  return {
    type: 'ToolVersionDraftedEvent',
    data: { version, ...terms, ...kept, content: { ...content, effective } },
  };
}

function refuseManyDrafts({ name, versions }: KnownTool, version: string): void {
  const written = versions[version]?.written ?? 0;
  const drafts = Object.keys(versions).filter((other) => versions[other]?.state === 'draft');
  if (written >= MAX_WRITTEN) {
    const detail = `Version ${version} of ${name} has been written ${String(written)} times, and is a draft still. Submit it, or take the next number.`;
    throw new RuleBroken('too_many_drafts', detail);
  }
  if (written > 0 || drafts.length < MAX_DRAFTS) return;
  const detail = `${name} has ${String(drafts.length)} drafts: ${drafts.join(', ')}. Submit or reject those that are done with first.`;
  throw new RuleBroken('too_many_drafts', detail);
}
