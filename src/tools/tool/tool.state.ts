import type { ChangeMark, ToolFields, ToolInvocation, ToolOverrides } from './tool-facts.js';
import type { ToolCreated, ToolEvent } from './tool.events.js';

/** The state of a tool, folded from its events. */
export type ToolState = { readonly status: 'unknown' } | KnownTool;

export interface KnownTool {
  /** The tool's own flag; `endpointActive` is that of its endpoint. */
  readonly status: 'active' | 'inactive';
  /** Frozen with the first event. */
  readonly name: string;
  readonly version: string;
  /** Null serves every environment. */
  readonly envTag: string | null;
  /** Null for a tool without an endpoint. */
  readonly endpointId: string | null;
  readonly endpointActive: boolean;
  /** As the endpoint or the author has them. */
  readonly words: ToolFields;
  readonly invocation: ToolInvocation;
  /** Only of a tool without an endpoint: an endpoint keeps its own. */
  readonly outputSchema: ToolCreated['data']['outputSchema'];
  readonly overrides: ToolOverrides;
  readonly examplePrompts: readonly string[];
  readonly change: ChangeMark | null;
}

export const unknownTool: ToolState = { status: 'unknown' };

const newborn = {
  status: 'active',
  endpointActive: true,
  overrides: {},
  examplePrompts: [],
  change: null,
  outputSchema: null,
} as const;

/** True while no other tool may take its name: it is active, and so is its endpoint. */
export function holdsName(tool: KnownTool): boolean {
  return tool.status === 'active' && tool.endpointActive;
}

export function evolveTool(state: ToolState, event: ToolEvent): ToolState {
  if (event.type === 'ToolPublishedEvent') {
    const { name, version, envTag, endpointId, words, invocation, change } = event.data;
    return { ...newborn, name, version, envTag, endpointId, words, invocation, change };
  }
  if (event.type === 'ToolCreatedEvent') {
    const { name, version, words, invocation, outputSchema, change } = event.data;
    return {
      ...newborn,
      name,
      version,
      envTag: null,
      endpointId: null,
      words,
      invocation,
      outputSchema,
      change,
    };
  }
  return state.status === 'unknown' ? state : evolveKnown(state, event);
}

/** Events after the first. */
export type LaterEvent = Exclude<ToolEvent, { type: 'ToolPublishedEvent' | 'ToolCreatedEvent' }>;

export function evolveKnown(tool: KnownTool, event: LaterEvent): KnownTool {
  switch (event.type) {
    case 'ToolRefreshedEvent': {
      const { endpointActive, version, change, source } = event.data;
      const facts = source && { words: source.words, invocation: source.invocation };
      return { ...tool, endpointActive, version, change, ...facts };
    }
    case 'ToolUpdatedEvent': {
      const { overrides, examplePrompts, version } = event.data;
      return { ...tool, overrides, examplePrompts, version };
    }
    case 'ToolRevisedEvent': {
      const { inputSchema, outputSchema, version, change } = event.data;
      return { ...tool, invocation: { ...tool.invocation, inputSchema }, outputSchema, version, change };
    }
    case 'ToolActivatedEvent':
      return { ...tool, status: 'active' };
    case 'ToolDeactivatedEvent':
      return { ...tool, status: 'inactive' };
    case 'ToolChangesAcceptedEvent':
      return { ...tool, change: null };
  }
}
