import { modelTerms } from '../../../packages/ranking/rank.js';
import type { LocalEmbeddings } from '../../platform/config/embeddings.js';
import {
  anotherDimension,
  type EmbeddingProfile,
  type EmbeddingProvider,
  modelName,
  ProviderFault,
  usableVector,
} from './embedding.provider.js';

/** Packages that an operator installs beside the service, since they are large. The second is the predecessor. */
const packages = ['@huggingface/transformers', '@xenova/transformers'] as const;

/** The part of the package that is used. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  readonly pipeline: (task: 'feature-extraction', model: string, options: object) => Promise<Extractor>;
}

type Extractor = (
  texts: readonly string[],
  options: { readonly pooling: string; readonly normalize: true },
) => Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>;

export function transformersProfile(settings: LocalEmbeddings): EmbeddingProfile {
  const { model, revision, pooling, dtype, documentPrefix, queryPrefix, batch } = settings;
  const name = modelName(model, { pooling, dtype, revision, documentPrefix, queryPrefix });
  return { model: name, dimension: 384, batch, lease: 120, ...modelTerms };
}

/** Runs a sentence model in this process, read from a folder; downloads nothing. */
export class TransformersProvider implements EmbeddingProvider {
  readonly profile: EmbeddingProfile;
  private extractor: Promise<Extractor> | undefined;

  constructor(private readonly settings: LocalEmbeddings) {
    this.profile = transformersProfile(settings);
  }

  async embed(texts: readonly string[], role: 'query' | 'document'): Promise<readonly Float32Array[]> {
    const { queryPrefix, documentPrefix, pooling, model } = this.settings;
    const prefix = role === 'query' ? queryPrefix : documentPrefix;
    const input = texts.map((text) => prefix + text);
    this.extractor ??= loaded(this.settings);
    const extract = await this.extractor;
    const { data, dims } = await extract(input, { pooling, normalize: true }).catch((error: unknown) => {
      throw new ProviderFault(`The model ${model} does not run: ${String(error)}`, false);
    });
    const { dimension } = this.profile;
    const given = dims.at(-1) ?? 0;
    if (given !== dimension) throw anotherDimension(`The model ${model}`, given, dimension);
    return texts.map((_, row) =>
      usableVector(`The model ${model}`, data.slice(row * dimension, (row + 1) * dimension), dimension),
    );
  }
}

/** Throws ProviderFault where no package is installed, or the folder holds no such model. */
async function loaded({ model, directory, dtype }: LocalEmbeddings): Promise<Extractor> {
  const { env, pipeline } = await installed();
  env.allowRemoteModels = false;
  env.localModelPath = directory;
  try {
    // The predecessor knows only `quantized`, and ignores other options.
    return await pipeline('feature-extraction', model, { dtype, quantized: dtype === 'q8' });
  } catch (error) {
    throw new ProviderFault(
      `The model ${model} can’t be loaded from ${directory} (EMBEDDING_MODEL_DIR): ${String(error)}`,
      false,
    );
  }
}

async function installed(): Promise<Transformers> {
  for (const name of packages) {
    try {
      return (await import(name)) as Transformers;
    } catch (error) {
      if (isAbsent(error, name)) continue;
      throw new ProviderFault(`${name} is installed but can’t be loaded: ${String(error)}`, false);
    }
  }
  throw new ProviderFault(
    `EMBEDDING_PROVIDER transformers needs ${packages[0]}, which is not installed with the service. Install it with: npm install --no-save ${packages[0]}`,
    false,
  );
}

function isAbsent(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`'${name}'`);
}
