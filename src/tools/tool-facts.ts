import type { FromSchema } from 'json-schema-to-ts';
import { changeGrades } from '../endpoints/change-grade.js';
import type { EndpointRecord } from '../endpoints/endpoint.lookup.js';
import { lightApiWords } from '../endpoints/lightapi-words.js';
import { Invalid } from '../eventsourcing/errors.js';
import { type EndpointFacts, routingFacts, safetyFacts } from '../formats/endpoint-facts.js';

/** What the events of tools are made of. */

export const text = { type: 'string' } as const;
export const orNull = { type: ['string', 'null'] } as const;
const json = { type: 'object' } as const;

export const lifecycleStatuses = ['active', 'deprecated', 'retired'] as const;
export const scriptTypes = ['java', 'python', 'javascript'] as const;

/** The words of a tool, as its endpoint or its author has them: what an operator may say over. */
export const words = {
  type: 'object',
  additionalProperties: false,
  required: ['description', 'routing', 'safety', 'lifecycleStatus'],
  properties: {
    description: text,
    routing: routingFacts,
    safety: { ...safetyFacts, required: ['readOnly', 'idempotent', 'destructive', 'humanApprovalRequired'] },
    lifecycleStatus: { enum: lifecycleStatuses },
  },
} as const;

/** What nobody may say over. The output schema of an endpoint's tool is the endpoint's and not repeated here. */
export const invocation = {
  type: 'object',
  additionalProperties: false,
  required: ['inputSchema', 'sourceProtocol', 'capabilityRef'],
  properties: { inputSchema: json, sourceProtocol: orNull, capabilityRef: orNull },
} as const;

/** What an operator said of the tool itself; it wins over everything beneath. */
export const overrides = {
  type: 'object',
  additionalProperties: false,
  properties: {
    description: text,
    /** For operators alone. */
    operatorDescription: text,
    routing: routingFacts,
    safety: safetyFacts,
    lifecycleStatus: { enum: lifecycleStatuses },
  },
} as const;

/** What changed beneath since an operator last accepted: field (dot path) to its value, null where there was none. */
export const changeMark = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['grade', 'fields', 'before', 'after'],
  properties: {
    /** The worst of `grades`. */
    grade: { enum: changeGrades },
    fields: { type: 'array', items: text },
    /** Of each field; left out by older marks. */
    grades: { type: 'object', additionalProperties: { enum: changeGrades } },
    /** Fields whose change is suspicious, whether or not it breaks as well; left out by older marks. */
    suspicious: { type: 'array', items: text },
    /** Of a tool without an endpoint: the setting of the host withholds it meanwhile. Others have that of their API version. */
    quarantine: { const: true },
    before: json,
    after: json,
  },
} as const;

export type ToolWords = FromSchema<typeof words>;
export type ToolInvocation = FromSchema<typeof invocation>;
export type ToolOverrides = FromSchema<typeof overrides>;
export type ChangeMark = NonNullable<FromSchema<typeof changeMark>>;

/** What an endpoint gives its tool. */
interface ToolSource {
  readonly words: ToolWords;
  /** What the documents come to where guards are held that they loosen. */
  readonly offered?: ToolWords;
  readonly invocation: ToolInvocation;
  readonly kept: KeptByEndpoint;
}

/** What the endpoint alone keeps of what its tool shows; here for comparison. */
export type KeptByEndpoint = Readonly<Pick<EndpointFacts, 'method' | 'path' | 'scopes' | 'outputSchema'>> & {
  /** Those of the document, beside the operator's own. */
  readonly examplePrompts?: readonly string[];
};

export function sourceOf({ facts, offered }: EndpointRecord): ToolSource {
  const { inputSchema, sourceProtocol } = facts;
  const { method, path, scopes, outputSchema, lightapi } = facts;
  const { prompts: examplePrompts } = lightApiWords(lightapi);
  return {
    words: wordsOf(facts),
    ...(offered !== undefined && { offered: wordsOf(offered) }),
    invocation: {
      inputSchema,
      sourceProtocol: sourceProtocol === '' ? null : sourceProtocol,
      capabilityRef: facts.capabilityRef ?? null,
    },
    kept: {
      ...{ method, path },
      ...(scopes.length > 0 && { scopes: scopes as NonNullable<EndpointFacts['scopes']> }),
      ...(outputSchema !== undefined && { outputSchema }),
      ...(examplePrompts.length > 0 && { examplePrompts }),
    },
  };
}

function wordsOf({ description, routing, safety, lifecycleStatus }: EndpointRecord['facts']): ToolWords {
  return { description, routing, safety, lifecycleStatus };
}

/** Contract 5. */
export const MOST_PROMPTS = 200;
export const LONGEST_PROMPT = 500;

/** The prompts after the lesson: in the order first given, each once, surrounding blanks aside. */
export function withPrompts(
  known: readonly string[],
  { mode, prompts }: { readonly mode: 'add' | 'replace'; readonly prompts: readonly string[] },
): readonly string[] {
  const all = mode === 'add' ? [...known, ...prompts] : prompts;
  const kept = [...new Set(all.map((prompt) => prompt.trim()))].filter((prompt) => prompt !== '');
  if (kept.length > MOST_PROMPTS) {
    const detail = `A tool keeps at most ${String(MOST_PROMPTS)} example prompts; these would be ${String(kept.length)}.`;
    throw new Invalid('too_many_example_prompts', detail);
  }
  return kept;
}
