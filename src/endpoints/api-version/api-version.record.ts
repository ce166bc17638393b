import { Command, type Decider } from '../../kernel/command.js';
import { Invalid, NotFound } from '../../kernel/errors.js';
import { type EventOf, eventType, type RecordedEvent } from '../../kernel/event.js';
import type { Projection, UniqueRules } from '../../kernel/slice.js';
import { apiTypes } from '../../formats/shared.js';
import { auditOf, RowChanges } from '../../platform/database/row-changes.js';
import { field, idField, tableOfFields, toColumns } from '../../platform/records/fields.js';
import type { FieldsOf, RecordEvent, RecordState } from '../../platform/records/record-spec.js';
import { changeRow } from '../../platform/records/record-sql.js';
import { record, type RecordCommand } from '../../platform/records/record.js';
import { apiId, versionProperties } from './api-version.schemas.js';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

/** A version of an API, with the service that offers it and its environment. An agent is a version of type `agent`. */
export const apiVersion = record(
  {
    name: 'ApiVersion',
    noun: 'API version',
    table: 'api_version_t',
    id: { apiVersionId: idField },
    fixed: {
      apiId: field({ sql: 'text', shown: apiId, stored: text }),
      apiVersion: field({ sql: 'text', shown: versionProperties.apiVersion, stored: text }),
      apiType: field({ sql: 'text', shown: versionProperties.apiType, stored: { enum: apiTypes } }),
      serviceId: field({ sql: 'text', shown: versionProperties.serviceId, stored: text }),
      envTag: field({
        sql: 'text',
        shown: versionProperties.envTag,
        stored: textOrNull,
        answered: { ...textOrNull, description: 'Null: every environment.' },
      }),
    },
    fields: {
      apiVersionDesc: field({
        sql: 'text',
        shown: { ...versionProperties.apiVersionDesc, default: null },
        stored: textOrNull,
      }),
      quarantine: field({ sql: 'boolean', shown: versionProperties.quarantine, stored: { type: 'boolean' } }),
    },
    lifecycle: 'switched',
    touches: 'itself',
    updates: 'whole',
  },
  {
    write({ changed: { apiType, envTag } }) {
      if (apiType === 'agent' && envTag === null) throw agentNeedsEnvironment();
    },
  },
);

function agentNeedsEnvironment(): Invalid {
  const detail = 'An agent serves one environment: name it in envTag.';
  return new Invalid('invalid_body', detail, [{ pointer: '/envTag', detail }]);
}

/** The unique rule, which the table keeps where writes race. */
export const apiVersionUniqueRules: UniqueRules = {
  api_version_natural_uk: {
    code: 'api_version_exists',
    detail: 'The API has this version already. Change it with PATCH, or name another version.',
  },
};

/** The document of the version is replaced. The aggregate version rises with it, so `If-Match` notices. */
export const apiVersionSpecReplaced = eventType({
  type: 'ApiVersionSpecReplacedEvent',
  aggregateType: 'ApiVersion',
  version: 1,
  touches: 'itself',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['specDigest'],
    properties: { specDigest: text },
  },
});

/** Goes with {@link UpdateApiVersionSpec} where the version was there before. */
export class ReplaceApiVersionSpec extends Command<{ readonly specDigest: string }> {
  readonly aggregateType = 'ApiVersion';
}

export type ApiVersionEvent = RecordEvent<typeof apiVersion.spec> | EventOf<typeof apiVersionSpecReplaced>;

export interface ApiVersionState {
  readonly version: RecordState<FieldsOf<typeof apiVersion.spec>>;
  /** Digest of the document that replaced another; null for the one that the version came with. */
  readonly specDigest: string | null;
}

/** Decides like every record, and about documents that replace others. */
export const apiVersionDecider: Decider<
  ApiVersionState,
  RecordCommand | ReplaceApiVersionSpec,
  ApiVersionEvent
> = {
  aggregateType: 'ApiVersion',
  initial: { version: null, specDigest: null },

  decide(command, { version, specDigest }) {
    if (!(command instanceof ReplaceApiVersionSpec)) return apiVersion.decider.decide(command, version);
    if (version === null) throw new NotFound('API version', command.aggregateId);
    const known = command.payload.specDigest === specDigest;
    return known ? [] : [{ type: 'ApiVersionSpecReplacedEvent', data: command.payload }];
  },

  evolve(state, event) {
    if (event.type === 'ApiVersionSpecReplacedEvent') return { ...state, ...event.data };
    return { ...state, version: apiVersion.decider.evolve(state.version, event) };
  },
};

/**
 * A document that a version's endpoints came from; the newest one is in force. Each is a stream of its own, so that
 * nobody who changes a version, or brings it a new document, has to read megabytes of old ones.
 */
export const apiVersionSpecUpdated = eventType({
  type: 'ApiVersionSpecUpdatedEvent',
  aggregateType: 'ApiVersionSpec',
  version: 1,
  touches: ['apiVersionId'],
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['apiVersionId', 'spec', 'specDigest', 'format', 'formatVersion'],
    properties: {
      apiVersionId: text,
      /** The text as it was imported, less the secrets found in it: gzip, as base64. */
      spec: { type: 'string', contentEncoding: 'base64', contentMediaType: 'application/gzip' },
      /** Hex SHA-256 of the UTF-8 bytes of the text. */
      specDigest: text,
      format: text,
      formatVersion: text,
    },
  },
});

export type ApiVersionSpecEvent = EventOf<typeof apiVersionSpecUpdated>;

/** Puts a document in force. The aggregate id is a fresh UUID v7: that of this document. */
export class UpdateApiVersionSpec extends Command<ApiVersionSpecEvent['data']> {
  readonly aggregateType = 'ApiVersionSpec';
  override readonly createsStream = true;
}

/** The state is whether the document was kept. */
export const apiVersionSpecDecider: Decider<boolean, UpdateApiVersionSpec, ApiVersionSpecEvent> = {
  aggregateType: 'ApiVersionSpec',
  initial: false,
  decide: ({ payload }, kept) => (kept ? [] : [{ type: 'ApiVersionSpecUpdatedEvent', data: payload }]),
  evolve: () => true,
};

/** What is known of the document in force, beside its text. */
export const documentFields = {
  specFormat: field({
    sql: 'text',
    shown: { ...textOrNull, description: 'Format of the document in force; null where there is none.' },
  }),
  specFormatVersion: field({ sql: 'text', shown: textOrNull }),
  specDigest: field({
    sql: 'text',
    shown: { ...textOrNull, description: 'SHA-256 of the document in force, as hex.' },
  }),
};

/** The text of the document, which may be megabytes: packed in the row. */
export const documentText = {
  spec: field({ sql: 'text', shown: { ...textOrNull, description: 'Only with spec=true.' } }),
};

const { id, table, fixed, fields } = apiVersion.spec;
export const apiVersionRows = tableOfFields(table, id, {
  ...fixed,
  ...fields,
  ...documentFields,
  ...documentText,
});

/** One row for a version with its document, though these are streams apart. */
export const apiVersionProjection: Projection = {
  name: 'api-versions',
  tables: [table, 'api_version_history_t'],
  handles: [...apiVersion.events, apiVersionSpecReplaced, apiVersionSpecUpdated].map(({ type }) => type),

  apply(tx, recorded) {
    const changes = new RowChanges(apiVersionRows);
    for (const event of recorded as readonly (RecordedEvent & (ApiVersionEvent | ApiVersionSpecEvent))[]) {
      // The row's version is that of the ApiVersion stream; a document has a stream of its own.
      const { aggregate_version, ...tail } = auditOf(event);
      if (event.type === 'ApiVersionSpecUpdatedEvent') {
        const {
          apiVersionId,
          format: specFormat,
          formatVersion: specFormatVersion,
          ...document
        } = event.data;
        const columns = toColumns({ ...document, specFormat, specFormatVersion });
        changes.set({ host_id: event.host, api_version_id: apiVersionId }, { ...columns, ...tail });
      } else if (event.type === 'ApiVersionSpecReplacedEvent') {
        const key = { host_id: event.host, api_version_id: event.aggregateid };
        changes.set(key, { aggregate_version, ...tail });
      } else changeRow(changes, apiVersion.spec, event);
    }
    changes.write(tx);
  },
};
