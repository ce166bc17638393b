/** What the link of a skill to a workflow holds, and the rule that a workflow calls only tools of its skill. Pure. */
import { RuleBroken } from '../../kernel/errors.js';
import {
  type CallableTool,
  callsWithoutTool,
  named,
  notLinked,
  type ToolCall,
  toolsCalled,
} from '../../workflows/shared.js';
import { field } from '../../platform/records/fields.js';

/** Roles that a workflow may have for a skill. */
export const workflowRoles = ['primary', 'validation', 'remediation', 'test'] as const;
export type WorkflowRole = (typeof workflowRoles)[number];
export const workflowRole = { type: 'string', enum: workflowRoles } as const;

/** Who may start it. */
export const startModes = ['manual', 'agent', 'scheduled', 'portal'] as const;
export type StartMode = (typeof startModes)[number];

/** Schemas of the terms of a link, for requests and documents. */
export const workflowTerms = {
  startMode: { type: 'string', enum: startModes, description: 'Who may start it.', default: 'manual' },
  config: {
    type: 'object',
    maxProperties: 100,
    description: 'What the skill says to the workflow: defaults of its input, what to disclose, hints.',
    default: {},
  },
} as const;

export const skillWorkflowFields = {
  startMode: field({ sql: 'text', shown: workflowTerms.startMode, stored: { enum: startModes } }),
  config: field({
    ...{ sql: 'jsonb', shown: workflowTerms.config },
    ...{ answered: { type: 'object' }, stored: { type: 'object' } },
  }),
};

/** Throws RuleBroken `workflow_tool_not_linked`; the faults' pointers lead to the steps of the definition. */
export function refuseCallsWithoutTool(skillId: string, calls: readonly ToolCall[]): void {
  if (calls.length === 0) return;
  const steps = calls.length === 1 ? 'a step calls a tool' : `${String(calls.length)} steps call tools`;
  throw new RuleBroken(
    'workflow_tool_not_linked',
    `In the workflow ${steps} that the skill ${skillId} does not have. Link them first, or mark the steps.`,
    calls.map((call) => ({ pointer: call.path, detail: notLinked(call) })),
  );
}

/** A call of one of the skill's workflows that only one tool answers. */
export interface Need extends ToolCall {
  /** `namespace/name` */
  readonly workflow: string;
}

/** Throws RuleBroken `workflow_tool_not_linked` where steps would be left without the tool. */
export function refuseToLeave(toolId: string, needs: readonly Need[]): void {
  const [first] = needs;
  if (first === undefined) return;
  throw new RuleBroken(
    'workflow_tool_not_linked',
    `The skill's workflow ${first.workflow} calls the tool ${toolId}. Change the workflow or take it from the skill first.`,
    needs.map(({ path, workflow, ...call }) => ({
      pointer: path,
      detail: `The step of ${workflow} calls ${named({ path, ...call })}.`,
    })),
  );
}

/** Finds the calls that the leaving tool answers and no staying one does. */
export function needsOf(
  leaving: CallableTool,
  staying: readonly CallableTool[],
  workflows: readonly { readonly workflow: string; readonly toolCalls: readonly ToolCall[] }[],
): readonly Need[] {
  return workflows.flatMap(({ workflow, toolCalls }) =>
    callsWithoutTool(toolCalls, staying)
      .filter((call) => toolsCalled(call, [leaving]).length > 0)
      .map((call) => ({ ...call, workflow })),
  );
}

/** A reason why a workflow of a skill can't run as it is. */
export interface Finding {
  /** RFC 6901 pointer to the step; empty where it is about the whole. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Finds what is wrong with the workflow itself, then with its steps. */
export function findingsOf(
  workflow: { readonly status: string; readonly active: boolean; readonly toolCalls: readonly ToolCall[] },
  tools: readonly CallableTool[],
): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (path: string, code: string, message: string): void => {
    findings.push({ path, code, message });
  };
  if (!workflow.active) add('', 'workflow_inactive', 'The workflow is switched off.');
  if (workflow.status === 'DRAFT') add('', 'workflow_not_published', 'The workflow is a draft.');
  if (workflow.status === 'DEPRECATED') add('', 'workflow_deprecated', 'The workflow is deprecated.');
  for (const call of workflow.toolCalls.filter(({ dependency }) => dependency === null)) {
    const called = toolsCalled(call, tools);
    if (called.length === 0) add(call.path, 'workflow_tool_not_linked', notLinked(call));
    else if (!called.some(({ active }) => active)) {
      add(call.path, 'workflow_tool_inactive', `The step calls ${named(call)}, which is switched off.`);
    }
  }
  return findings;
}
