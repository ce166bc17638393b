import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import {
  ActivateWorkflow,
  CreateWorkflow,
  DeactivateWorkflow,
  DeprecateWorkflow,
  PublishWorkflow,
  UpdateWorkflow,
  type WorkflowCommand,
} from './workflow.commands.js';
import { workflowDecider } from './workflow.decider.js';
import type { WorkflowEvent, WorkflowWords } from './workflow.events.js';

const host = '00000000-0000-7000-8000-000000000001';
const id = '00000000-0000-7000-8000-00000000000a';
const words: WorkflowWords = {
  namespace: 'ops',
  name: 'close',
  version: '1.0.0',
  definition: 'do: []',
  toolCalls: [],
  warnings: [],
};
const happened = (
  type: Exclude<WorkflowEvent['type'], `${string}${'Created' | 'Updated'}Event`>,
): WorkflowEvent => ({
  type,
  data: {},
});
const created: WorkflowEvent = { type: 'WorkflowDefinitionCreatedEvent', data: words };
const published = happened('WorkflowDefinitionPublishedEvent');
const deprecated = happened('WorkflowDefinitionDeprecatedEvent');
const deactivated = happened('WorkflowDefinitionDeactivatedEvent');
const activated = happened('WorkflowDefinitionActivatedEvent');

const update = (said: Partial<WorkflowWords>, versionHeldBy: string | null = null) =>
  new UpdateWorkflow(host, id, { words: said, versionHeldBy });
const [publish, deprecate] = [new PublishWorkflow(host, id, {}), new DeprecateWorkflow(host, id, {})];
const [activate, deactivate] = [new ActivateWorkflow(host, id, {}), new DeactivateWorkflow(host, id, {})];

function decided(command: WorkflowCommand, ...events: WorkflowEvent[]): unknown {
  const state = events.reduce((now, event) => workflowDecider.evolve(now, event), workflowDecider.initial);
  try {
    return workflowDecider.decide(command, state);
  } catch (error) {
    if (error instanceof RuleBroken) return error.code;
    if (error instanceof NotFound) return 'not_found';
    throw error;
  }
}

describe('a workflow definition', () => {
  it('is made where its version is free', () => {
    const create = (versionHeldBy: string | null) => new CreateWorkflow(host, id, { words, versionHeldBy });
    expect(decided(create(null))).toEqual([created]);
    expect(decided(create('other'))).toBe('workflow_version_taken');
  });

  it('changes while it is a draft, and says what has changed', () => {
    expect(decided(update({ version: '1.0.0', definition: 'do: [] #' }), created)).toEqual([
      { type: 'WorkflowDefinitionUpdatedEvent', data: { definition: 'do: [] #' } },
    ]);
    expect(decided(update({ ...words }), created)).toEqual([]);
    expect(decided(update({ version: '2.0.0' }, 'other'), created)).toBe('workflow_version_taken');
    expect(decided(update({ definition: 'do: [1]' }), created, published)).toBe('workflow_not_draft');
    expect(decided(update({ ...words }), created, published)).toEqual([]);
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
