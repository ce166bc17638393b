import { Command } from '../../kernel/command.js';
import type { AcceptedOfTool, EvalConfig } from '../../registry/shared.js';
import type { CallGuards } from './call-guards.js';
import type {
  CallFault,
  SeenByReviewer,
  VersionAbout,
  VersionContent,
  VersionEvaluation,
} from './version.events.js';

/** Writes a version, or writes it again while it is a draft. That its number fits its change is the plan's finding. */
export class DraftToolVersion extends Command<{
  readonly version: string;
  readonly content: Omit<VersionContent, 'effective'>;
  /** The spec as it was pushed. */
  readonly specText: string | null;
  /** What it is evaluated by, where it says so, and the file that was pushed with it. */
  readonly evalConfig?: EvalConfig | null;
  readonly evalConfigText?: string | null;
  /** What its spec says to people; left out where no spec says it. */
  readonly about?: VersionAbout | undefined;
  /** Changes that its number was not raised for. */
  readonly accepted?: readonly AcceptedOfTool[];
}> {
  readonly aggregateType = 'Tool';
}

export class SubmitToolVersion extends Command<{ readonly version: string }> {
  readonly aggregateType = 'Tool';
}

/** Keeps what an evaluation of exactly this content has found. */
export class RecordVersionEvaluation extends Command<{
  readonly version: string;
  readonly digest: string;
  readonly evaluation: VersionEvaluation;
}> {
  readonly aggregateType = 'Tool';
}

/** What an approval rests on; the plan has found that it may. */
export interface Approval {
  readonly digest: string;
  readonly evaluation: Readonly<Record<string, unknown>> | null;
  readonly override: { readonly reason: string } | null;
  /** What the reviewer had before them. */
  readonly seen?: SeenByReviewer;
  /** Of what the version calls. */
  readonly guards: readonly CallGuards[];
  /** Versions of the name that other active tools hold. */
  readonly taken: readonly string[];
}

export class ApproveToolVersion extends Command<Approval & { readonly version: string }> {
  readonly aggregateType = 'Tool';
}

export class RejectToolVersion extends Command<{
  readonly version: string;
  readonly reason: string;
  /** Whether its author takes it back. */
  readonly withdrawn?: true;
  /** What the reviewer had before them. */
  readonly seen?: SeenByReviewer;
}> {
  readonly aggregateType = 'Tool';
}

export class DeprecateToolVersion extends Command<{
  readonly version: string;
  readonly on: string;
  readonly message: string;
}> {
  readonly aggregateType = 'Tool';
}

/** Notes that the day of its deprecation has passed: the plan's finding. */
export class NoteOverdueVersion extends Command<{ readonly version: string }> {
  readonly aggregateType = 'Tool';
}

export class RetireToolVersion extends Command<{
  readonly version: string;
  readonly reason: string | null;
  /** Skills whose links take it, and what they would take then. */
  readonly keptBy: readonly string[];
}> {
  readonly aggregateType = 'Tool';
}

/** Keeps what the schema of its API makes of the operation of a version; null where it fits. */
export class JudgeToolCall extends Command<{
  readonly version: string;
  readonly fault: CallFault | null;
}> {
  readonly aggregateType = 'Tool';
}

export type VersionCommand =
  | DraftToolVersion
  | SubmitToolVersion
  | RecordVersionEvaluation
  | ApproveToolVersion
  | RejectToolVersion
  | DeprecateToolVersion
  | NoteOverdueVersion
  | RetireToolVersion
  | JudgeToolCall;

export const versionCommands = [
  DraftToolVersion,
  SubmitToolVersion,
  RecordVersionEvaluation,
  ApproveToolVersion,
  RejectToolVersion,
  DeprecateToolVersion,
  NoteOverdueVersion,
  RetireToolVersion,
  JudgeToolCall,
] as const;
