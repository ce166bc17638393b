import {
  below,
  entriesOf,
  isObject,
  listMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { largeDefinition, refusalsOf } from '../../formats/shared.js';
import type { ToolSpec } from './tool-spec.js';

/** A weakness of a tool by itself. Whether it stops a review is the host's setting. */
export interface LintFinding {
  readonly rule: LintRule;
  /** RFC 6901, in the spec. */
  readonly pointer: string;
  /** What a model makes of it. */
  readonly reason: string;
  /** How it could read instead. */
  readonly example: string;
}

/** Another tool that agents may have beside this one, and how near it is. */
export interface Neighbor {
  readonly name: string;
  /** Of their descriptions, 0 to 1. */
  readonly similarity: number;
}

type Sound = Omit<LintFinding, 'rule'>;
type Check = (spec: ToolSpec, neighbors: readonly Neighbor[]) => readonly Sound[];

const MAX_NAME = 48;
const MIN_WORDS = 8;
const MAX_DESCRIPTION = 1_024;
const MAX_PARAMETERS = 12;
/** Lines or items that read like paths within one text. */
const MAX_PATHS = 2;
const NEAR = 0.9;
/** Values of an enum in an example. */
const MAX_VALUES = 20;
/** Characters of a text that are looked at for lists: they stand at its beginning. */
const MAX_LOOKED_AT = 8_192;

const wordsIn = (text: string): number => (text.match(/[\p{L}\p{N}]+/gu) ?? []).length;
const properties = ({ inputSchema }: ToolSpec): [string, Json][] => entriesOf(inputSchema['properties']);
const at = (name: string, ...rest: string[]): string => below('/inputSchema/properties', name, ...rest);

/** What of a text is looked at, with one blank where there are several: expressions below never try blanks by turns. */
const looked = (text: string): string => text.slice(0, MAX_LOOKED_AT).replaceAll(/\s+/g, ' ');

/** A path of an API, or a query on one, at the beginning of a word: `issues?state=open`, `/projects/<id>/notes`. */
const pathLike = /^(?:-*\/[\w<{:.-]+\/[\w<>{}:.-]|[\w-]{1,64}\?[\w[\]]{1,64}=)/;

/** How many words of a text read like paths: each character of it is looked at once. */
function pathsIn(text: string): number {
  return text.split(/[ `"'(,]/).filter((word) => pathLike.test(word)).length;
}

/** Where a description begins to list the values that may be given, and what follows. */
const listing =
  /(?:one of|either|must be|can be|values?(?: are)?:?|options?:?) ?:? ?((?:[`"']?[\w-]+[`"']?(?: ?(?:,|\||\/|\bor\b|, ?or) ?)?){2,20})/gi;

/** Where a tool says what others say, too. */
export const OVERLAPPING = '/description';

/** Every rule, with what it finds; each is listed in `docs/guides`. */
const checks = {
  name_unclear: ({ name }) => {
    const found: Sound[] = [];
    if (name.length > MAX_NAME) {
      const reason = `The name has ${String(name.length)} characters; models and logs cut long ones off.`;
      found.push({ pointer: '/name', reason, example: name.slice(0, MAX_NAME).replace(/[_-][^_-]*$/, '') });
    }
    if (!/[_-]|[a-z][A-Z]/.test(name)) {
      const reason = 'One word does not say what is done to what.';
      found.push({ pointer: '/name', reason, example: `get_${name.toLowerCase()}` });
    }
    return found;
  },

  description_vague: ({ description, name }) =>
    wordsIn(description) >= MIN_WORDS
      ? []
      : [
          {
            pointer: '/description',
            reason: 'Models choose by the description; so few words do not tell the tool from others.',
            example: `${description.replace(/\.?$/, '.')} Use it when … is known. Does not …; ${name.replace(/^[a-z]+/i, 'list')} does.`,
          },
        ],

  description_without_when: ({ description }) =>
    wordsIn(description) < MIN_WORDS ||
    /\b(?:use|when|if|only|not|never|instead|before|after|for)\b/i.test(description)
      ? []
      : [
          {
            pointer: '/description',
            reason: 'It says what the tool does, and neither when to use it nor when not.',
            example: `${description.replace(/\.?$/, '.')} Use it when you have the id. Do not use it to search.`,
          },
        ],

  description_too_long: ({ description }) =>
    description.length <= MAX_DESCRIPTION
      ? []
      : [
          {
            pointer: '/description',
            reason: `It has ${String(description.length)} characters, which each prompt pays for; some clients cut it off at ${String(MAX_DESCRIPTION)}.`,
            example:
              'Say in three sentences what it does, when, and when not; move the rest to the parameters.',
          },
        ],

  parameter_undescribed: (spec) =>
    properties(spec)
      .filter(([, schema]) => textMember(schema, 'description') === undefined)
      .map(([name]) => ({
        pointer: at(name),
        reason: `Nothing says what to give for ${name}.`,
        example: `description: ${example(name)}`,
      })),

  definition_large: (spec) => {
    const large = largeDefinition(spec);
    if (large === undefined) return [];
    const example =
      'Leave out what is rarely given, shorten what describes it, or make a tool for each task.';
    return [{ pointer: '/inputSchema', reason: `W${large.slice(1)}`, example }];
  },

  endpoints_in_text: (spec) =>
    [
      ['/description', spec.description] as const,
      ...properties(spec).map(
        ([name, schema]) => [at(name, 'description'), textMember(schema, 'description') ?? ''] as const,
      ),
    ].flatMap(([pointer, text]) =>
      pathsIn(looked(text)) <= MAX_PATHS
        ? []
        : [
            {
              pointer,
              reason: 'A list of endpoints makes the model write a request by hand, which nothing checks.',
              example:
                'Give each filter a parameter of its own: state (enum), author (text), labels (list of texts).',
            },
          ],
    ),

  too_many_parameters: (spec) => {
    const count = properties(spec).length;
    if (count <= MAX_PARAMETERS) return [];
    const reason = `It takes ${String(count)} arguments; beyond ${String(MAX_PARAMETERS)} models fill in wrong ones.`;
    return [
      {
        pointer: '/inputSchema/properties',
        reason,
        example: 'Make one tool for each task, or fix the rarely used ones.',
      },
    ];
  },

  enum_candidate: (spec) =>
    properties(spec).flatMap(([name, schema]) => {
      const values =
        isObject(schema) && schema['type'] === 'string' && schema['enum'] === undefined
          ? choices(schema)
          : [];
      if (values.length < 2) return [];
      const reason = `The description of ${name} lists the values that it may have; only an enum holds a model to them.`;
      return [{ pointer: at(name), reason, example: `enum: [${shown(values).join(', ')}]` }];
    }),

  destructive_unsaid: ({ name, description, annotations }) =>
    annotations.destructiveHint !== undefined ||
    annotations.readOnlyHint === true ||
    !/\b(?:delete|remove|drop|purge|destroy|erase|revoke|cancel|overwrite)/i.test(
      `${name.replaceAll('_', ' ')} ${description}`,
    )
      ? []
      : [
          {
            pointer: '/annotations',
            reason:
              'It seems to destroy something, and no annotation says whether it does: nobody is asked before a call.',
            example: 'annotations: { destructiveHint: true }',
          },
        ],

  output_schema_missing: ({ outputSchema }) =>
    outputSchema !== null
      ? []
      : [
          {
            pointer: '/outputSchema',
            reason: 'Nothing says what comes back, so neither a client nor a model can rely on it.',
            example: 'outputSchema: { type: object, properties: { id: { type: string } }, required: [id] }',
          },
        ],

  provider_refuses: (spec) => {
    const found = new Map<string, Sound & { readonly by: string[] }>();
    for (const { provider, pointer, reason, remedy } of refusalsOf(spec)) {
      const known = found.get(`${pointer}\n${reason}`) ?? { pointer, reason, example: remedy, by: [] };
      known.by.push(provider);
      found.set(`${pointer}\n${reason}`, known);
    }
    return [...found.values()].map(({ by, reason, ...rest }) => ({
      ...rest,
      reason: `${reason} Refused by ${by.join(', ')}, with the whole request and all tools in it.`,
    }));
  },

  overlaps: ({ name }, neighbors) =>
    neighbors
      .filter((other) => other.similarity >= NEAR && other.name !== name)
      .map((other) => ({
        pointer: OVERLAPPING,
        reason: `It is described nearly like ${other.name}: a model takes one or the other by chance.`,
        example: `Say what ${other.name} does not do, or make one tool of the two.`,
      })),
} as const satisfies Readonly<Record<string, Check>>;

export type LintRule = keyof typeof checks;
export const lintRules = Object.keys(checks) as readonly LintRule[];

/** What makes a model call a tool wrongly whatever else is said: a review asks for it to be mended. */
const stopping: readonly LintRule[] = [
  'description_vague',
  'parameter_undescribed',
  'endpoints_in_text',
  'destructive_unsaid',
  'provider_refuses',
  'overlaps',
];

/** The findings that stop a review, where nobody overrides them with a reason. */
export function stopsReview({ rule }: Pick<LintFinding, 'rule'>): boolean {
  return stopping.includes(rule);
}

/** The tools beside it that are described nearly like it. */
export function overlapsOf(spec: ToolSpec, neighbors: readonly Neighbor[]): readonly LintFinding[] {
  return checks.overlaps(spec, neighbors).map((finding) => ({ rule: 'overlaps', ...finding }));
}

/** What is weak about a tool, in the order of the rules. */
export function lintTool(spec: ToolSpec, neighbors: readonly Neighbor[] = []): readonly LintFinding[] {
  return lintRules.flatMap((rule) =>
    (checks[rule] as Check)(spec, neighbors).map((finding) => ({ rule, ...finding })),
  );
}

function example(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
  return /\bids?$/.test(words) ? `The ${words}, as … answers it.` : `The ${words} to …, for instance …`;
}

/** As many of the values as an example has room for. */
function shown(values: readonly string[]): readonly string[] {
  const some = values.slice(0, MAX_VALUES).map((value) => value.slice(0, 40));
  return values.length > MAX_VALUES ? [...some, '…'] : some;
}

/** Values that a description lists: "one of open, closed", or "open | closed". */
function choices(schema: JsonObject): readonly string[] {
  for (const [, listed = ''] of looked(textMember(schema, 'description') ?? '').matchAll(listing)) {
    const values = listed
      .split(/ ?(?:, ?or\b|,|\||\/|\bor\b) ?/)
      .map((value) => value.replaceAll(/[`"' .]/g, ''))
      .filter((value) => value !== '');
    if (values.length > 1 && values.every((value) => value.length <= 40)) return values;
  }
  const examples = listMember(schema, 'examples').filter((value) => typeof value === 'string');
  return examples.length > 3 ? examples : [];
}
