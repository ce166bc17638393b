import { Command } from '../eventsourcing/command.js';
import type { ApiDetails } from './api.events.js';

/** What a caller says of an API: left out is not said, `null` takes back. */
export type ApiWords = { readonly apiName?: string } & {
  readonly [Word in Exclude<keyof ApiDetails, 'apiName'>]?: string | null;
};

/** The aggregate id is the `apiId` that the caller chose. Refused where the API exists: `api_exists`. */
export class CreateApi extends Command<ApiWords & { readonly apiName: string }> {
  readonly aggregateType = 'Api';
}

/** Makes the API unless there is one: what an import needs. */
export class EnsureApi extends Command<{ readonly apiName: string }> {
  readonly aggregateType = 'Api';
  /** Tells it from the others, which TypeScript compares by shape. */
  readonly unlessKnown = true;
}

export class UpdateApi extends Command<ApiWords> {
  readonly aggregateType = 'Api';
}

/** Allowed whatever leans on the API: versions, tools, links and assignments stay. */
export class DeactivateApi extends Command<Record<never, never>> {
  readonly aggregateType = 'Api';
  /** Tells it from {@link ActivateApi}, which TypeScript compares by shape. */
  readonly active = false;
}

export class ActivateApi extends Command<Record<never, never>> {
  readonly aggregateType = 'Api';
  readonly active = true;
}

export type ApiCommand = CreateApi | EnsureApi | UpdateApi | DeactivateApi | ActivateApi;
