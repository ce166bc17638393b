import { resolve } from 'node:path';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Fault } from '../../kernel/errors.js';

/** Fields of what is searched whose texts may be embedded. */
export const embeddedFields = ['name', 'description', 'keywords', 'parameters', 'details', 'values'] as const;

const fieldList = `^(${embeddedFields.join('|')})( *, *(${embeddedFields.join('|')}))*$`;

/** What makes vectors for search (docs/contract.md, section 8). */
export const embeddingSettings = {
  EMBEDDING_PROVIDER: {
    type: 'string',
    enum: ['lexical', 'openai', 'transformers'],
    default: 'lexical',
    description:
      'What makes vectors for search. lexical: built in, of what English words mean; openai: any endpoint with OpenAI’s POST /embeddings; transformers: a model in this process.',
  },
  EMBEDDING_URL: {
    type: 'string',
    format: 'uri',
    description:
      'Base address of the endpoint, such as https://api.openai.com/v1. With EMBEDDING_PROVIDER openai.',
  },
  EMBEDDING_MODEL: {
    type: 'string',
    minLength: 1,
    maxLength: 128,
    default: 'text-embedding-3-small',
    description:
      'Model of the endpoint, which is asked for 384 dimensions, or folder of a local one; it must give 384.',
  },
  EMBEDDING_API_KEY: { type: 'string', minLength: 1, description: 'Bearer token for the endpoint.' },
  EMBEDDING_MODEL_DIR: {
    type: 'string',
    minLength: 1,
    description:
      'Folder with the folders of local models, as Hugging Face has them; nothing is downloaded. With EMBEDDING_PROVIDER transformers.',
  },
  EMBEDDING_POOLING: {
    type: 'string',
    enum: ['mean', 'cls'],
    default: 'mean',
    description: 'How a local model makes one vector of those of the words.',
  },
  EMBEDDING_DTYPE: {
    type: 'string',
    enum: ['q8', 'fp32'],
    default: 'q8',
    description:
      'Which file of a local model is read: q8 is onnx/model_quantized.onnx, fp32 onnx/model.onnx.',
  },
  EMBEDDING_REVISION: {
    type: 'string',
    maxLength: 128,
    default: '',
    description: 'Of a local model; under another one all vectors are made anew.',
  },
  EMBEDDING_QUERY_PREFIX: {
    type: 'string',
    default: '',
    description: 'Put in front of prompts, where the model wants that.',
  },
  EMBEDDING_DOCUMENT_PREFIX: {
    type: 'string',
    default: '',
    description: 'Put in front of the texts of the catalog, where the model wants that.',
  },
  EMBEDDING_SOURCE_FIELDS: {
    type: 'string',
    pattern: fieldList,
    default: 'name,description,keywords,parameters',
    description: `Fields whose texts are embedded, comma-separated, of ${embeddedFields.join(', ')}. Example prompts are embedded one by one.`,
  },
  EMBEDDING_BATCH: {
    type: 'integer',
    minimum: 1,
    maximum: 2048,
    default: 64,
    description: 'Most texts in one call to the endpoint.',
  },
  EMBEDDING_TIMEOUT: {
    type: 'integer',
    minimum: 100,
    maximum: 300000,
    default: 10000,
    description: 'Milliseconds until a call to the endpoint is given up.',
  },
} as const satisfies Readonly<Record<string, JSONSchema>>;

type Environment = FromSchema<{ type: 'object'; properties: typeof embeddingSettings }>;

/** What the text of a call is made of. */
interface Prepared {
  readonly model: string;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  /** Texts a call. */
  readonly batch: number;
}

/** An endpoint with OpenAI's `POST /embeddings`. */
export interface HttpEmbeddings extends Prepared {
  readonly kind: 'openai';
  readonly url: string;
  readonly apiKey?: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** A model that runs in this process. */
export interface LocalEmbeddings extends Prepared {
  readonly kind: 'transformers';
  /** Holds a folder of the model's name. */
  readonly directory: string;
  readonly pooling: 'mean' | 'cls';
  readonly dtype: 'q8' | 'fp32';
  readonly revision: string;
}

/** What makes vectors for search, and of which fields. */
export interface EmbeddingSettings {
  readonly provider: HttpEmbeddings | LocalEmbeddings | { readonly kind: 'lexical' };
  readonly sourceFields: readonly (typeof embeddedFields)[number][];
}

export function embeddingsOf(environment: Environment): EmbeddingSettings {
  const fields = environment.EMBEDDING_SOURCE_FIELDS.split(',').map((field) => field.trim());
  return { provider: providerOf(environment), sourceFields: fields as EmbeddingSettings['sourceFields'] };
}

function providerOf(environment: Environment): EmbeddingSettings['provider'] {
  const { EMBEDDING_URL: url, EMBEDDING_MODEL_DIR: directory, EMBEDDING_API_KEY: apiKey } = environment;
  const prepared = {
    model: environment.EMBEDDING_MODEL,
    queryPrefix: environment.EMBEDDING_QUERY_PREFIX,
    documentPrefix: environment.EMBEDDING_DOCUMENT_PREFIX,
    batch: environment.EMBEDDING_BATCH,
  };
  if (url !== undefined) {
    const timeout = environment.EMBEDDING_TIMEOUT;
    return { kind: 'openai', url, ...prepared, ...(apiKey !== undefined && { apiKey }), timeout };
  }
  if (directory === undefined) return { kind: 'lexical' };
  return {
    kind: 'transformers',
    directory: resolve(directory),
    ...prepared,
    pooling: environment.EMBEDDING_POOLING,
    dtype: environment.EMBEDDING_DTYPE,
    revision: environment.EMBEDDING_REVISION,
  };
}

/** The variable that says where each provider's model is. */
const places = { openai: 'EMBEDDING_URL', transformers: 'EMBEDDING_MODEL_DIR' } as const;

export function embeddingFaults(environment: Readonly<Record<string, unknown>>): Fault[] {
  return Object.entries(places).flatMap(([provider, name]): Fault[] => {
    const isChosen = environment['EMBEDDING_PROVIDER'] === provider;
    if (isChosen === (environment[name] !== undefined)) return [];
    const detail = isChosen ? 'is required with' : 'has no meaning without';
    return [{ pointer: `/${name}`, detail: `${detail} EMBEDDING_PROVIDER ${provider}` }];
  });
}
