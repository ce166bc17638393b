import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import { auditOf, RowChanges } from '../platform/database/row-changes.js';
import type { ApiVersionEvent, ApiVersionSpecEvent } from './api-version.events.js';
import { ApiVersionRow } from './api-versions.row.js';

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
    const rows = new RowChanges(ApiVersionRow);
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
