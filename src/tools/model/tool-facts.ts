import type { FromSchema } from 'json-schema-to-ts';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';
import { changeGrades, lightApiTexts, loosened } from '../../endpoints/shared.js';
import type { EndpointRecord } from '../../endpoints/public.js';
import { Invalid } from '../../kernel/errors.js';
import { type EndpointFacts, routingFacts, safetyFacts } from '../../formats/shared.js';

/** The schemas that the events of tools share. */

export const text = { type: 'string' } as const;
export const orNull = { type: ['string', 'null'] } as const;
const json = { type: 'object' } as const;

export const lifecycleStatuses = ['active', 'deprecated', 'retired'] as const;
export const scriptTypes = ['java', 'python', 'javascript'] as const;
/** What carries out a tool without an endpoint; of a `service`, `implementationClass` names it. */
export const ownTypes = [...scriptTypes, 'service'] as const;
export const implementationTypes = ['lightapi_endpoint', ...ownTypes] as const;

/** The fields of a tool from its endpoint or author, which an operator may override. */
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

/** Flags of a new tool of which nothing is said. */
export const unsaidSafety = {
  readOnly: false,
  idempotent: false,
  destructive: false,
  humanApprovalRequired: false,
} as const;

/** The guards that a new tool has less of than one of which nothing is said; its tier is the author's. */
export function loosenedAtFirst(fields: ToolFields): readonly string[] {
  return loosened({ ...fields, safety: unsaidSafety }, fields);
}

/** The fields that nobody may override. The output schema of an endpoint's tool stays with the endpoint. */
export const invocation = {
  type: 'object',
  additionalProperties: false,
  required: ['inputSchema', 'sourceProtocol', 'capabilityRef'],
  properties: {
    inputSchema: json,
    sourceProtocol: orNull,
    capabilityRef: orNull,
    /** What a call carries out, where a spec says it: {api, apiVersionId, operation, operationName, variables?, keepNull?}. */
    call: json,
  },
} as const;

/** Overrides of the tool itself; they win over the source. */
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

/** Changes of the source since an operator last accepted: field (dot path) to its value, null where there was none. */
export const changeMark = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['grade', 'fields', 'before', 'after'],
  properties: {
    /** The worst of `grades`. */
    grade: { enum: changeGrades },
    fields: { type: 'array', items: text },
    /** The grade of each field; left out by older marks. */
    grades: { type: 'object', additionalProperties: { enum: changeGrades } },
    /** Fields whose change is suspicious, whether or not it breaks as well; left out by older marks. */
    suspicious: { type: 'array', items: text },
    /** Agents are not given the tool meanwhile: its former version can't be called any more. */
    quarantine: { const: true },
    before: json,
    after: json,
  },
} as const;

export type ToolFields = FromSchema<typeof words>;
export type ToolInvocation = FromSchema<typeof invocation>;
export type ToolOverrides = FromSchema<typeof overrides>;
export type ChangeMark = NonNullable<FromSchema<typeof changeMark>>;

/** The fields of a tool that come from its endpoint. */
interface ToolSource {
  readonly words: ToolFields;
  /** The fields without held guards, where some are held. */
  readonly offered?: ToolFields;
  readonly invocation: ToolInvocation;
  readonly kept: KeptByEndpoint;
}

/** The shown fields that only the endpoint stores; for comparison. */
export type KeptByEndpoint = Readonly<Pick<EndpointFacts, 'method' | 'path' | 'scopes' | 'outputSchema'>> & {
  /** The example prompts of the document, without the operator's own. */
  readonly examplePrompts?: readonly string[];
};

export function sourceOf({ facts, offered }: EndpointRecord): ToolSource {
  const { inputSchema, sourceProtocol } = facts;
  const { method, path, scopes, outputSchema, lightapi } = facts;
  const { prompts: examplePrompts } = lightApiTexts(lightapi);
  return {
    words: toolFieldsOf(facts),
    ...(offered !== undefined && { offered: toolFieldsOf(offered) }),
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

function toolFieldsOf({
  description,
  routing,
  safety,
  lifecycleStatus,
}: EndpointRecord['facts']): ToolFields {
  return { description, routing, safety, lifecycleStatus };
}

/** Limits of example prompts (docs/contract.md, section 5). */
export const MAX_PROMPTS = 200;
export const MAX_PROMPT_LENGTH = 500;

/** Adds or replaces prompts, trimmed and each once, in the order first given. */
export function withPrompts(
  known: readonly string[],
  { mode, prompts }: { readonly mode: 'add' | 'replace'; readonly prompts: readonly string[] },
): readonly string[] {
  const all = mode === 'add' ? [...known, ...prompts] : prompts;
  const kept = [...new Set(all.map((prompt) => prompt.trim()))].filter((prompt) => prompt !== '');
  if (kept.length > MAX_PROMPTS) {
    const detail = `A tool keeps at most ${String(MAX_PROMPTS)} example prompts; these would be ${String(kept.length)}.`;
    throw new Invalid('too_many_example_prompts', detail);
  }
  return kept;
}

/** Whether one of the prompts addresses the model: an administrator alone gives a tool such ones, for they wait for no review. */
export function addressModel(prompts: readonly string[]): boolean {
  return prompts.some((prompt) => newlyAddressesModel(undefined, prompt));
}
