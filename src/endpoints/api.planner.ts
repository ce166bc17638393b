import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { CreateApi, UpdateApi } from './api.commands.js';
import type { ApiPatch, NewApi } from './api.schemas.js';

export function planApiCreation(hostId: string, { apiId, ...words }: NewApi): Command[] {
  return [new CreateApi(hostId, apiId, words)];
}

export function planApiUpdate({ hostId, within }: Visibility, apiId: string, words: ApiPatch): Command[] {
  if (within !== undefined && !within.apiIds.includes(apiId)) throw new NotFound('API', apiId);
  return [new UpdateApi(hostId, apiId, words)];
}
