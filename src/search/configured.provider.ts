import type { Config } from '../platform/config/config.js';
import type { EmbeddingSettings } from '../platform/config/embeddings.js';
import type { Outbound } from '../platform/network/outbound.js';
import { modelOf } from './embedding-model.js';
import type { EmbeddingProfile, EmbeddingProvider } from './embedding.provider.js';
import { HttpProvider, httpProfile } from './http.provider.js';
import { lexicalProvider } from './lexical.provider.js';
import { TransformersProvider, transformersProfile } from './transformers.provider.js';

type Settings = Pick<Config, 'embeddings'>;

/** The provider that the environment names. */
export function configuredProvider({ embeddings }: Settings, outbound: Outbound): EmbeddingProvider {
  return providerOf(embeddings.provider, outbound);
}

/** What its vectors are called. */
export function configuredProfile({ embeddings: { provider } }: Settings): EmbeddingProfile {
  switch (provider.kind) {
    case 'lexical':
      return lexicalProvider.profile;
    case 'openai':
      return httpProfile(provider);
    case 'transformers':
      return transformersProfile(provider);
  }
}

/** Nest token of {@link FormerProviders}. */
export const FORMER_EMBEDDINGS = Symbol('FormerEmbeddings');

/**
 * Who embeds prompts for vectors of this name, which an earlier configuration has made: the same endpoint or folder,
 * under the earlier model. Undefined where nobody here can.
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
  if (settings.kind === 'lexical' || name === lexicalProvider.profile.model) return lexicalProvider;
  const unsaid = { queryPrefix: '', documentPrefix: '', revision: '' };
  return providerOf({ ...settings, ...unsaid, ...modelOf(name) }, outbound);
}

function providerOf(settings: EmbeddingSettings['provider'], outbound: Outbound): EmbeddingProvider {
  switch (settings.kind) {
    case 'lexical':
      return lexicalProvider;
    case 'openai':
      return new HttpProvider(settings, outbound);
    case 'transformers':
      return new TransformersProvider(settings);
  }
}
