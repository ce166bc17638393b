import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { refuseSecretsIn } from '../platform/validation/secret-faults.js';
import { CreateApi, UpdateApi } from './api.commands.js';
import type { ApiPatch, NewApi } from './api.schemas.js';

export async function planApiCreation(hostId: string, { apiId, ...words }: NewApi): Promise<Command[]> {
  await refuseSecretsIn(words);
  return [new CreateApi(hostId, apiId, words)];
}

export async function planApiUpdate(
  { hostId, within }: Visibility,
  apiId: string,
  words: ApiPatch,
): Promise<Command[]> {
  await refuseSecretsIn(words);
  if (within !== undefined && !within.apiIds.includes(apiId)) throw new NotFound('API', apiId);
  return [new UpdateApi(hostId, apiId, words)];
}
