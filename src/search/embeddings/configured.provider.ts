import { builtInProvider } from './built-in.provider.js';
import { type EmbeddingProfile, type EmbeddingProvider, modelOf } from './embedding.provider.js';
import type { Config } from '../../platform/config/config.js';
import type { EmbeddingSettings } from '../../platform/config/embeddings.js';
import type { Outbound } from '../../platform/network/outbound.js';
import { httpProfile, HttpProvider } from './http.provider.js';
import { transformersProfile, TransformersProvider } from './transformers.provider.js';

type Settings = Pick<Config, 'embeddings'>;

/** Makes the provider that the configuration names. */
export function configuredProvider({ embeddings }: Settings, outbound: Outbound): EmbeddingProvider {
  return providerOf(embeddings.provider, outbound);
}

/** The profile of that provider, without starting it. */
export function configuredProfile({ embeddings: { provider } }: Settings): EmbeddingProfile {
  switch (provider.kind) {
    case 'lexical':
      return builtInProvider.profile;
    case 'openai':
      return httpProfile(provider);
    case 'transformers':
      return transformersProfile(provider);
  }
}

/** Nest token of {@link FormerProviders}. */
export const FORMER_EMBEDDINGS = Symbol('FormerEmbeddings');

/**
 * Finds the provider that embeds prompts for vectors of an earlier configuration: the same endpoint or folder, under the
 * earlier model. Undefined where there is none.
 */
export type FormerProviders = (model: string) => EmbeddingProvider | undefined;

export function formerProviders({ embeddings }: Settings, outbound: Outbound): FormerProviders {
  const known = new Map<string, EmbeddingProvider>();
  return (name) => {
    const provider = known.get(name) ?? formerProvider(name, embeddings.provider, outbound);
    if (provider.profile.model !== name) return undefined;
    known.set(name, provider);
    return provider;
  };
}

function formerProvider(
  name: string,
  settings: EmbeddingSettings['provider'],
  outbound: Outbound,
): EmbeddingProvider {
  if (settings.kind === 'lexical' || name === builtInProvider.profile.model) return builtInProvider;
  const unsaid = { queryPrefix: '', documentPrefix: '', revision: '' };
  return providerOf({ ...settings, ...unsaid, ...modelOf(name) }, outbound);
}

function providerOf(settings: EmbeddingSettings['provider'], outbound: Outbound): EmbeddingProvider {
  switch (settings.kind) {
    case 'lexical':
      return builtInProvider;
    case 'openai':
      return new HttpProvider(settings, outbound);
    case 'transformers':
      return new TransformersProvider(settings);
  }
}
