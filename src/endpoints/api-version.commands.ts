import { Command } from '../eventsourcing/command.js';
import type { ApiType } from '../formats/shared.js';
import type { ApiVersionSpecEvent } from './api-version.events.js';

/** Makes a version of an API that exists. The aggregate id is a fresh UUID v7. */
export class CreateApiVersion extends Command<{
  readonly apiId: string;
  readonly apiVersion: string;
  readonly apiType: ApiType;
  readonly serviceId: string;
  readonly envTag: string | null;
  readonly apiVersionDesc?: string | null;
  readonly quarantine: boolean;
}> {
  readonly aggregateType = 'ApiVersion';
  override readonly createsStream = true;
}

export class UpdateApiVersion extends Command<{
  readonly apiVersionDesc?: string | null;
  readonly quarantine?: boolean;
}> {
  readonly aggregateType = 'ApiVersion';
}

/** Goes with {@link UpdateApiVersionSpec} where the version was there before. */
export class ReplaceApiVersionSpec extends Command<{ readonly specDigest: string }> {
  readonly aggregateType = 'ApiVersion';
}

/** Deactivates a version, whatever uses it: endpoints, tools, links and assignments stay. */
export class DeactivateApiVersion extends Command<Record<never, never>> {
  readonly aggregateType = 'ApiVersion';
  /** Tells it from {@link ActivateApiVersion}, which TypeScript compares by shape. */
  readonly active = false;
}

export class ActivateApiVersion extends Command<Record<never, never>> {
  readonly aggregateType = 'ApiVersion';
  readonly active = true;
}

export type ApiVersionCommand =
  CreateApiVersion | UpdateApiVersion | ReplaceApiVersionSpec | DeactivateApiVersion | ActivateApiVersion;

/** Puts a document in force. The aggregate id is a fresh UUID v7: that of this document. */
export class UpdateApiVersionSpec extends Command<ApiVersionSpecEvent['data']> {
  readonly aggregateType = 'ApiVersionSpec';
  override readonly createsStream = true;
}
