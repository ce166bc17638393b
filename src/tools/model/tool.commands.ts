import { Command } from '../../kernel/command.js';
import type { CallGuards } from './call-guards.js';
import type { Overrides } from '../../endpoints/shared.js';
import type { KeptByEndpoint, ToolFields, ToolInvocation } from './tool-facts.js';
import type { Approval, VersionCommand } from './version.commands.js';
import type { ToolCreated, ToolPublished } from './tool.events.js';

/** The setting of the host by which changes reach agents. */
interface Policy {
  /** Whether texts and compatible changes are approved as they come; never what breaks callers or is suspicious. */
  readonly autoApprove: boolean;
}

/** Makes a tool of an endpoint under a fresh UUID v7. The plan has found that the name is free. */
export class PublishTool extends Command<Omit<ToolPublished['data'], 'version' | 'state'> & Policy> {
  readonly aggregateType = 'Tool';
  override readonly createsStream = true;
}

/** Makes a tool without an endpoint under a fresh UUID v7. */
export class CreateTool extends Command<
  Omit<ToolCreated['data'], 'version' | 'change' | 'state'> &
    Policy & {
      /** Versions of the name that other active tools hold in a common environment. */
      readonly taken: readonly string[];
      /** Of a tool that a spec brings: its first version, which is a draft whatever the host approves by itself. */
      readonly draft?: string;
    }
> {
  readonly aggregateType = 'Tool';
  override readonly createsStream = true;
}

/** Carries a change of the endpoint into its tool. */
export class RefreshTool extends Command<
  Policy & {
    readonly endpointActive: boolean;
    readonly words: ToolFields;
    /** Those of before; left out where there were none. */
    readonly formerWords?: ToolFields;
    /** The fields without held guards, where some are held. */
    readonly offered?: ToolFields;
    readonly invocation: ToolInvocation;
    /** The fields that only the endpoint stores, before and after its change. */
    readonly kept: { readonly before: KeptByEndpoint; readonly after: KeptByEndpoint };
    /** Set where an operator changed the endpoint: the fields (dot paths) that the operator overrides. */
    readonly operator?: { readonly fields: readonly string[] };
    /** Versions of the name that other active tools hold, or may take in this very write. */
    readonly taken: readonly string[];
  }
> {
  readonly aggregateType = 'Tool';
}

/** Guards a tool at least as what its calls reach. */
export class GuardTool extends Command<{
  readonly guards: readonly CallGuards[];
  /** Versions of the name that other active tools hold. */
  readonly taken: readonly string[];
}> {
  readonly aggregateType = 'Tool';
}

/** Other schemas of a tool without an endpoint: left out is unchanged; null is no output schema. */
export interface OtherSchemas {
  readonly inputSchema?: ToolInvocation['inputSchema'];
  readonly outputSchema?: ToolCreated['data']['outputSchema'];
}

/** Changes an operator's overrides of the tool: left out is unchanged, `null` takes back. */
export class UpdateTool extends Command<
  Policy & {
    readonly overrides: Overrides;
    /** All of them; null for none. */
    readonly examplePrompts?: readonly string[] | null;
    readonly schemas?: OtherSchemas;
    readonly taken: readonly string[];
  }
> {
  readonly aggregateType = 'Tool';
}

/** Adds example prompts, or replaces them. */
export class TeachTool extends Command<{
  readonly mode: 'add' | 'replace';
  readonly prompts: readonly string[];
}> {
  readonly aggregateType = 'Tool';
}

export class ActivateTool extends Command<{ readonly taken: readonly string[] }> {
  readonly aggregateType = 'Tool';
}

/** `name_taken`: its API comes back and finds another tool under the name. */
export class DeactivateTool extends Command<{ readonly reason: 'operator' | 'name_taken' }> {
  readonly aggregateType = 'Tool';
}

/** Accepts what is marked, and approves the version that waits for a review, where one does. */
export class AcceptToolChanges extends Command<{
  readonly approval?: Approval & { readonly version: string };
}> {
  readonly aggregateType = 'Tool';
}

export type ToolCommand =
  | PublishTool
  | CreateTool
  | RefreshTool
  | GuardTool
  | UpdateTool
  | TeachTool
  | ActivateTool
  | DeactivateTool
  | AcceptToolChanges
  | VersionCommand;
