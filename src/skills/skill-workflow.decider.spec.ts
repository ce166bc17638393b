import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import type { CallableTool, ToolCall } from '../workflows/tool-calls.js';
import {
  LinkWorkflow,
  RecheckWorkflow,
  skillWorkflowId,
  UnlinkWorkflow,
  type SkillWorkflowCommand,
} from './skill-workflow.commands.js';
import { skillWorkflowDecider } from './skill-workflow.decider.js';
import type { SkillWorkflowEvent, WorkflowRole } from './skill-workflow.events.js';
import { findingsOf, needsOf } from './workflow-tools.js';

const host = '00000000-0000-7000-8000-000000000001';
const ids = (workflowRole: WorkflowRole = 'primary') => ({
  skillId: '00000000-0000-7000-8000-00000000000a',
  wfDefId: '00000000-0000-7000-8000-00000000000b',
  workflowRole,
});
const terms = { startMode: 'manual', config: {} } as const;
const call: ToolCall = { path: '/do/0/it', by: 'name', value: 'close', dependency: null };
const link = (more: Partial<LinkWorkflow['payload']> = {}) => {
  const payload = { ...ids(), ...terms, withoutTool: [], primaryHeldBy: null, ...more };
  return new LinkWorkflow(host, skillWorkflowId(payload), payload);
};
const linked: SkillWorkflowEvent = { type: 'SkillWorkflowCreatedEvent', data: { ...ids(), ...terms } };
const unlinked: SkillWorkflowEvent = { type: 'SkillWorkflowDeletedEvent', data: ids() };
const id = skillWorkflowId(ids());

function decided(command: SkillWorkflowCommand, ...events: SkillWorkflowEvent[]): unknown {
  const { initial } = skillWorkflowDecider;
  const state = events.reduce((now, event) => skillWorkflowDecider.evolve(now, event), initial);
  try {
    return skillWorkflowDecider.decide(command, state);
  } catch (error) {
    if (error instanceof RuleBroken) return [error.code, ...error.faults.map(({ pointer }) => pointer)];
    if (error instanceof NotFound) return 'not_found';
    throw error;
  }
}

describe('a workflow of a skill', () => {
  it('is linked, changed, taken away and linked again', () => {
    expect(decided(link())).toEqual([linked]);
    expect(decided(link(), linked)).toEqual([]);
    expect(decided(link({ startMode: 'agent' }), linked)).toMatchObject([
      { type: 'SkillWorkflowUpdatedEvent', data: { startMode: 'agent' } },
    ]);
    expect(decided(new UnlinkWorkflow(host, id, ids()), linked)).toEqual([unlinked]);
    expect(decided(new UnlinkWorkflow(host, id, ids()), linked, unlinked)).toBe('not_found');
    expect(decided(link(), linked, unlinked)).toEqual([linked]);
  });

  it('calls only tools of the skill, whenever it is asked', () => {
    const refused = ['workflow_tool_not_linked', '/do/0/it'];
    expect(decided(link({ withoutTool: [call] }))).toEqual(refused);
    expect(decided(link({ withoutTool: [call] }), linked)).toEqual(refused);
    const recheck = new RecheckWorkflow(host, id, { ...ids(), withoutTool: [call] });
    expect(decided(recheck, linked)).toEqual(refused);
    expect(decided(recheck, linked, unlinked)).toEqual([]);
    expect(decided(new RecheckWorkflow(host, id, { ...ids(), withoutTool: [] }), linked)).toEqual([]);
  });

  it('is the only primary one; other roles may be many', () => {
    expect(decided(link({ primaryHeldBy: 'other' }))).toEqual(['primary_workflow_taken']);
    expect(decided(link({ primaryHeldBy: 'other', workflowRole: 'test' }))).toMatchObject([
      { type: 'SkillWorkflowCreatedEvent' },
    ]);
    expect(skillWorkflowId(ids())).not.toBe(skillWorkflowId(ids('test')));
  });
});

describe('the tools that a skill’s workflows need', () => {
  const tool = (toolId: string, name: string, active = true): CallableTool => ({
    ...{ toolId, name, active },
    ...{ capabilityRef: null, endpointId: null, endpoint: null },
  });
  const workflows = [
    { workflow: 'ops/close', toolCalls: [call, { ...call, dependency: 'future' as const }] },
  ];

  it('are those that no other tool of the skill stands in for', () => {
    const [close, open] = [tool('a', 'close'), tool('b', 'open')];
    expect(needsOf(close, [open], workflows)).toEqual([{ ...call, workflow: 'ops/close' }]);
    expect(needsOf(open, [close], workflows)).toEqual([]);
    expect(needsOf(open, [], workflows)).toEqual([]);
    expect(needsOf(close, [tool('c', 'close')], workflows)).toEqual([]);
  });

  it('are flagged where they are gone or off, as is the workflow', () => {
    const codes = (status: string, active: boolean, tools: CallableTool[]) =>
      findingsOf({ status, active, toolCalls: [call] }, tools).map(({ path, code }) => [path, code]);
    expect(codes('PUBLISHED', true, [tool('a', 'close')])).toEqual([]);
    expect(codes('PUBLISHED', true, [tool('a', 'close', false)])).toEqual([
      ['/do/0/it', 'workflow_tool_inactive'],
    ]);
    expect(codes('PUBLISHED', true, [tool('a', 'close', false), tool('b', 'close')])).toEqual([]);
    expect(codes('DEPRECATED', false, [])).toEqual([
      ['', 'workflow_inactive'],
      ['', 'workflow_deprecated'],
      ['/do/0/it', 'workflow_tool_not_linked'],
    ]);
    expect(codes('DRAFT', true, [tool('a', 'close')])).toEqual([['', 'workflow_not_published']]);
  });
});
