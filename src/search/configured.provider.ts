import type { Config } from '../platform/config/config.js';
import type { Outbound } from '../platform/network/outbound.js';
import type { EmbeddingProfile, EmbeddingProvider } from './embedding.provider.js';
import { HttpProvider, httpProfile } from './http.provider.js';
import { lexicalProvider } from './lexical.provider.js';

type Settings = Pick<Config, 'embeddings'>;

/** The provider that the environment names. */
export function configuredProvider({ embeddings }: Settings, outbound: Outbound): EmbeddingProvider {
  const { provider } = embeddings;
  return provider.kind === 'lexical' ? lexicalProvider : new HttpProvider(provider, outbound);
}

/** What its vectors are called. */
export function configuredProfile({ embeddings: { provider } }: Settings): EmbeddingProfile {
  return provider.kind === 'lexical' ? lexicalProvider.profile : httpProfile(provider);
}
