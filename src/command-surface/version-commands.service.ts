import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database } from '../kernel/sql.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { ToolConsolidation, ToolLint } from '../previews/public.js';
import type { LintBody } from '../previews/shared.js';
import { ApproveVersion, EvaluateVersion, RejectVersion, VersionReports } from '../reviews/public.js';
import {
  type Compared,
  DeprecateVersion,
  DraftVersion,
  listTools,
  listVersions,
  PushSpec,
  RetireVersion,
  SubmitVersion,
  versionDiff,
  WithdrawVersion,
} from '../tools/public.js';
import type { ToolListQuery } from '../tools/shared.js';
import type { AgentCommand, CommandContext, Parameters, Run } from './agent-command.js';
import { CommandWrites } from './command-writes.service.js';
import { type VersionCommandName, versionSpecs } from './version-commands.js';

/** Runs the commands on versions of tools: the reads and the use cases of their HTTP routes. */
@Injectable()
export class VersionCommands {
  readonly commands: readonly AgentCommand[];

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    reports: VersionReports,
    lint: ToolLint,
    consolidation: ToolConsolidation,
    writes: CommandWrites,
  ) {
    const runs: Readonly<Record<VersionCommandName, Run>> = {
      list_tools: async ({ format: _format, agentDefId: _agent, ...query }, context) => ({
        value: await listTools(...this.seen(context), query as unknown as ToolListQuery),
      }),
      list_tool_versions: async (parameters, context) => ({
        value: await listVersions(...this.seen(context), named(parameters).toolId, parameters),
      }),
      diff_tool_versions: async (parameters, context) => ({
        value: await versionDiff(...this.seen(context), named(parameters)),
      }),
      report_tool_version: async (parameters, { caller }) => {
        const { toolId, version } = named(parameters);
        return { value: await reports.of(caller, toolId, version) };
      },
      lint_tool: async (parameters, { caller }) => ({
        value: await lint.of(caller, parameters as unknown as LintBody),
      }),
      consolidate_tools: async (parameters, { caller }) => ({
        value: await consolidation.of(caller, parameters),
      }),
      push_tool_spec: writes.by('push_tool_spec', PushSpec),
      draft_tool_version: writes.by('draft_tool_version', DraftVersion),
      submit_tool_version: writes.by('submit_tool_version', SubmitVersion),
      evaluate_tool_version: writes.by('evaluate_tool_version', EvaluateVersion),
      approve_tool_version: writes.by('approve_tool_version', ApproveVersion),
      withdraw_tool_version: writes.by('withdraw_tool_version', WithdrawVersion),
      reject_tool_version: writes.by('reject_tool_version', RejectVersion),
      deprecate_tool_version: writes.by('deprecate_tool_version', DeprecateVersion),
      retire_tool_version: writes.by('retire_tool_version', RetireVersion),
    };
    this.commands = versionSpecs.map((spec) => ({ ...spec, run: runs[spec.name] }));
  }

  private seen({ caller }: CommandContext) {
    return [this.database.of(caller.hostId), visibilityOf(caller)] as const;
  }
}

/** The parameters of a command on one version, which its schema has checked. */
function named(parameters: Parameters): Compared {
  return parameters as unknown as Compared;
}
