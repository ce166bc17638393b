import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import {
  ActivateWorkflow,
  CreateWorkflow,
  DeprecateWorkflow,
  PublishWorkflow,
  UpdateWorkflow,
  type WorkflowCommand,
} from './workflow.commands.js';
import type { LifecycleStatus, WorkflowEvent, WorkflowWords } from './workflow.events.js';

export type WorkflowState =
  | { readonly status: 'unknown' }
  | { readonly status: LifecycleStatus; readonly active: boolean; readonly words: WorkflowWords };
export type KnownWorkflow = Exclude<WorkflowState, { readonly status: 'unknown' }>;

export const workflowDecider: Decider<WorkflowState, WorkflowCommand, WorkflowEvent> = {
  aggregateType: 'WorkflowDefinition',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof CreateWorkflow) {
      const { words, versionHeldBy } = command.payload;
      refuseTakenVersion(words, versionHeldBy);
      return [{ type: 'WorkflowDefinitionCreatedEvent', data: words }];
    }
    if (state.status === 'unknown') throw new NotFound('workflow', command.aggregateId);
    if (command instanceof UpdateWorkflow) return updated(command, state);
    if (command instanceof PublishWorkflow) return published(state);
    if (command instanceof DeprecateWorkflow) return deprecated(state);
    const active = command instanceof ActivateWorkflow;
    if (active === state.active) return [];
    return [
      { type: active ? 'WorkflowDefinitionActivatedEvent' : 'WorkflowDefinitionDeactivatedEvent', data: {} },
    ];
  },

  evolve(state, event) {
    if (event.type === 'WorkflowDefinitionCreatedEvent') {
      return { status: 'DRAFT', active: true, words: event.data };
    }
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'WorkflowDefinitionUpdatedEvent':
        return { ...state, words: { ...state.words, ...event.data } };
      case 'WorkflowDefinitionPublishedEvent':
        return { ...state, status: 'PUBLISHED' };
      case 'WorkflowDefinitionDeprecatedEvent':
        return { ...state, status: 'DEPRECATED' };
      case 'WorkflowDefinitionActivatedEvent':
        return { ...state, active: true };
      case 'WorkflowDefinitionDeactivatedEvent':
        return { ...state, active: false };
    }
  },
};

function updated({ payload }: UpdateWorkflow, state: KnownWorkflow): readonly WorkflowEvent[] {
  const differs = ([word, said]: [string, unknown]): boolean =>
    !isDeepStrictEqual(state.words[word as keyof WorkflowWords], said);
  const words: Partial<WorkflowWords> = Object.fromEntries(Object.entries(payload.words).filter(differs));
  if (Object.keys(words).length === 0) return [];
  if (state.status !== 'DRAFT') {
    const detail = `Version ${state.words.version} of ${nameOf(state)} was published and never changes. Make a new version.`;
    throw new RuleBroken('workflow_not_draft', detail);
  }
  refuseTakenVersion({ ...state.words, ...words }, payload.versionHeldBy);
  return [{ type: 'WorkflowDefinitionUpdatedEvent', data: words }];
}

function published(state: KnownWorkflow): readonly WorkflowEvent[] {
  if (state.status === 'PUBLISHED') return [];
  if (state.status === 'DRAFT') return [{ type: 'WorkflowDefinitionPublishedEvent', data: {} }];
  const detail = `Version ${state.words.version} of ${nameOf(state)} is deprecated for good. Publish another version.`;
  throw new RuleBroken('workflow_deprecated', detail);
}

function deprecated(state: KnownWorkflow): readonly WorkflowEvent[] {
  if (state.status === 'DEPRECATED') return [];
  if (state.status === 'PUBLISHED') return [{ type: 'WorkflowDefinitionDeprecatedEvent', data: {} }];
  const detail = `${nameOf(state)} is a draft. Only what was published is deprecated.`;
  throw new RuleBroken('workflow_not_published', detail);
}

function refuseTakenVersion({ namespace, name, version }: WorkflowWords, holder: string | null): void {
  if (holder === null) return;
  const detail = `Version ${version} of ${namespace}/${name} is the workflow ${holder} already. Give another version.`;
  throw new RuleBroken('workflow_version_taken', detail, [{ pointer: '/version', detail }]);
}

function nameOf({ words: { namespace, name } }: KnownWorkflow): string {
  return `${namespace}/${name}`;
}
