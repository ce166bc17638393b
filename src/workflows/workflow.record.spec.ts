import { NotFound, RuleBroken } from '../kernel/errors.js';
import type { RecordEvent } from '../platform/records/record-spec.js';
import type { RecordCommand } from '../platform/records/record.js';
import type { Workflow } from './workflow.fields.js';
import { workflow } from './workflow.record.js';

type WorkflowEvent = RecordEvent<typeof workflow.spec>;
const { decider } = workflow;

const host = '00000000-0000-7000-8000-000000000001';
const id = '00000000-0000-7000-8000-00000000000a';
const fields: Workflow = {
  namespace: 'ops',
  name: 'close',
  version: '1.0.0',
  definition: 'do: []',
  toolCalls: [],
  warnings: [],
};
const happened = (kind: 'Published' | 'Deprecated' | 'Deactivated' | 'Activated'): WorkflowEvent => ({
  type: `WorkflowDefinition${kind}Event`,
  data: {},
});
const created: WorkflowEvent = { type: 'WorkflowDefinitionCreatedEvent', data: fields };
const [published, deprecated] = [happened('Published'), happened('Deprecated')];
const [activated, deactivated] = [happened('Activated'), happened('Deactivated')];

const free = { heldBy: null };
const taken = { heldBy: 'other' };
const update = (changes: Partial<Workflow>, held: { heldBy: string | null } = free) =>
  workflow.change(host, id, changes, held);
const publish = workflow.step(host, id, 'published');
const deprecate = workflow.step(host, id, 'deprecated');
const activate = workflow.activate(host, id);
const deactivate = workflow.deactivate(host, id);

function decided(command: RecordCommand, ...events: WorkflowEvent[]): unknown {
  const state = events.reduce((now, event) => decider.evolve(now, event), decider.initial);
  try {
    return decider.decide(command, state);
  } catch (error) {
    if (error instanceof RuleBroken) return error.code;
    if (error instanceof NotFound) return 'not_found';
    throw error;
  }
}

describe('a workflow definition', () => {
  it('is made where its version is free', () => {
    expect(decided(workflow.create(host, id, fields, free))).toEqual([created]);
    expect(decided(workflow.create(host, id, fields, taken))).toBe('workflow_version_taken');
  });

  it('changes while it is a draft, and says what has changed', () => {
    expect(decided(update({ version: '1.0.0', definition: 'do: [] #' }), created)).toEqual([
      { type: 'WorkflowDefinitionUpdatedEvent', data: { definition: 'do: [] #' } },
    ]);
    expect(decided(update({ ...fields }), created)).toEqual([]);
    expect(decided(update({ version: '2.0.0' }, taken), created)).toBe('workflow_version_taken');
    expect(decided(update({ version: '2.0.0' }, taken), created, published)).toBe('workflow_not_draft');
    expect(decided(update({ ...fields }), created, published)).toEqual([]);
    expect(decided(update({}))).toBe('not_found');
  });

  it('goes from draft to published to deprecated, and never back', () => {
    expect(decided(publish, created)).toEqual([published]);
    expect(decided(publish, created, published)).toEqual([]);
    expect(decided(deprecate, created)).toBe('workflow_not_published');
    expect(decided(deprecate, created, published)).toEqual([deprecated]);
    expect(decided(deprecate, created, published, deprecated)).toEqual([]);
    expect(decided(publish, created, published, deprecated)).toBe('workflow_deprecated');
  });

  it('is switched off and on at any time', () => {
    expect(decided(deactivate, created, published)).toEqual([deactivated]);
    expect(decided(deactivate, created, deactivated)).toEqual([]);
    expect(decided(activate, created, deactivated)).toEqual([activated]);
    expect(decided(activate, created)).toEqual([]);
  });
});
