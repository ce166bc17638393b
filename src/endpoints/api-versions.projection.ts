import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import type { ApiType } from '../formats/formats.js';
import { auditOf, RowChanges } from '../platform/database/row-changes.js';
import type { ApiVersionEvent, ApiVersionSpecEvent } from './api-version.events.js';

@Entity('api_version_t')
export class ApiVersionRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) api_version_id!: string;
  @Column({ type: 'text' }) api_id!: string;
  @Column({ type: 'text' }) api_version!: string;
  @Column({ type: 'text' }) api_type!: ApiType;
  @Column({ type: 'text' }) service_id!: string;
  /** Null: it serves every environment. */
  @Column({ type: 'text', nullable: true }) env_tag!: string | null;
  @Column({ type: 'text', nullable: true }) api_version_desc!: string | null;
  @Column({ type: 'boolean' }) quarantine!: boolean;
  /** The document in force, as it was imported less the secrets found in it; packed. */
  @Column({ type: 'text', nullable: true }) spec!: string | null;
  @Column({ type: 'text', nullable: true }) spec_digest!: string | null;
  @Column({ type: 'text', nullable: true }) spec_format!: string | null;
  @Column({ type: 'text', nullable: true }) spec_format_version!: string | null;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}

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
