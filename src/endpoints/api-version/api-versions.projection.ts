import type { RecordedEvent } from '../../eventsourcing/event.js';
import type { Projection, UniqueRules } from '../../eventsourcing/slice.js';
import type { ApiType } from '../../formats/shared.js';
import { auditOf, RowChanges, tableOf } from '../../platform/database/row-changes.js';
import type { ApiVersionEvent, ApiVersionSpecEvent } from './api-version.events.js';

export interface ApiVersionRow {
  readonly host_id: string;
  readonly api_version_id: string;
  readonly api_id: string;
  readonly api_version: string;
  readonly api_type: ApiType;
  readonly service_id: string;
  /** Null: it serves every environment. */
  readonly env_tag: string | null;
  readonly api_version_desc: string | null;
  readonly quarantine: boolean;
  /** The document in force, as it was imported less the secrets found in it; packed. */
  readonly spec: string | null;
  readonly spec_digest: string | null;
  readonly spec_format: string | null;
  readonly spec_format_version: string | null;
  readonly active: boolean;
  readonly position: number;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
}

export const apiVersionRows = tableOf<ApiVersionRow>('api_version_t', ['host_id', 'api_version_id'], {
  host_id: 'uuid',
  api_version_id: 'uuid',
  api_id: 'text',
  api_version: 'text',
  api_type: 'text',
  service_id: 'text',
  env_tag: 'text',
  api_version_desc: 'text',
  quarantine: 'boolean',
  spec: 'text',
  spec_digest: 'text',
  spec_format: 'text',
  spec_format_version: 'text',
  active: 'boolean',
  position: 'bigint',
  aggregate_version: 'bigint',
  update_ts: 'timestamptz',
  update_user: 'text',
});

type VersionEvent = ApiVersionEvent | ApiVersionSpecEvent;

export const apiVersionProjection: Projection = {
  name: 'api-versions',
  tables: ['api_version_t', 'api_version_history_t'],
  handles: [
    'ApiVersionCreatedEvent',
    'ApiVersionUpdatedEvent',
    'ApiVersionSpecReplacedEvent',
    'ApiVersionDeactivatedEvent',
    'ApiVersionActivatedEvent',
    'ApiVersionSpecUpdatedEvent',
  ] satisfies readonly VersionEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & VersionEvent)[];
    const rows = new RowChanges<ApiVersionRow>(apiVersionRows);
    for (const event of events) {
      const spec = event.type === 'ApiVersionSpecUpdatedEvent';
      const key = { host_id: event.host, api_version_id: spec ? event.data.apiVersionId : event.aggregateid };
      rows.set(key, { ...columnsOf(event), ...tailOf(event) }, event.type === 'ApiVersionCreatedEvent');
    }
    rows.write(tx);
  },
};

/** The rule that a race could break is kept by the table as well. */
export const apiVersionUniqueRules: UniqueRules = {
  api_version_natural_uk: {
    code: 'api_version_exists',
    detail: 'The API has this version already. Change it with PATCH, or name another version.',
  },
};

function columnsOf(event: VersionEvent): Partial<ApiVersionRow> {
  switch (event.type) {
    case 'ApiVersionCreatedEvent':
      return {
        api_id: event.data.apiId,
        api_version: event.data.apiVersion,
        api_type: event.data.apiType,
        service_id: event.data.serviceId,
        env_tag: event.data.envTag,
        api_version_desc: event.data.apiVersionDesc,
        quarantine: event.data.quarantine,
        spec: null,
        spec_digest: null,
        spec_format: null,
        spec_format_version: null,
        active: true,
      };
    case 'ApiVersionUpdatedEvent':
      return { api_version_desc: event.data.apiVersionDesc, quarantine: event.data.quarantine };
    case 'ApiVersionSpecReplacedEvent':
      return {};
    case 'ApiVersionDeactivatedEvent':
      return { active: false };
    case 'ApiVersionActivatedEvent':
      return { active: true };
    case 'ApiVersionSpecUpdatedEvent':
      return {
        spec: event.data.spec,
        spec_digest: event.data.specDigest,
        spec_format: event.data.format,
        spec_format_version: event.data.formatVersion,
      };
  }
}

/** The row's version is that of the ApiVersion stream; a document has a stream of its own. */
function tailOf(event: RecordedEvent): Partial<ApiVersionRow> {
  const { aggregate_version, ...tail } = auditOf(event);
  return event.aggregatetype === 'ApiVersion' ? { aggregate_version, ...tail } : tail;
}
