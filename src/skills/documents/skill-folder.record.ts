/** What came with a skill that was imported as a folder: the event, how it is decided, and its table. */
import type { ArchiveFile } from '../../documents/archive-file.js';
import { eventType, type EventOf, type RecordedEvent } from '../../kernel/event.js';
import { Command, type Decider } from '../../kernel/command.js';
import { isDeepStrictEqual } from 'node:util';
import { tableOf, auditOf, RowChanges } from '../../platform/database/row-changes.js';
import type { Projection } from '../../kernel/slice.js';

/** What came with a skill that was imported as a folder; the aggregate id is the skill's. */
export const skillFolderReplaced = eventType({
  type: 'SkillFolderReplacedEvent',
  aggregateType: 'SkillFolder',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['head', 'files'],
    properties: {
      /** Frontmatter of SKILL.md with its fences, as it was written. */
      head: { type: 'string' },
      files: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['path', 'base64'],
          properties: { path: { type: 'string' }, base64: { type: 'string' } },
        },
      },
    },
  },
});

export type SkillFolderEvent = EventOf<typeof skillFolderReplaced>;
export type StoredFolder = SkillFolderEvent['data'];

/** The files of a folder with their bytes. */
export function filesIn(stored: StoredFolder['files']): ArchiveFile[] {
  return stored.map(({ path, base64 }) => ({ path, bytes: Buffer.from(base64, 'base64') }));
}

/** Keeps what came with a skill that was imported as a folder. The aggregate id is the skill's. */
export class ReplaceSkillFolder extends Command<StoredFolder> {
  readonly aggregateType = 'SkillFolder';
}

/** Null for a skill that never was a folder. */
export const skillFolderDecider: Decider<StoredFolder | null, ReplaceSkillFolder, SkillFolderEvent> = {
  aggregateType: 'SkillFolder',
  initial: null,

  decide({ payload }, state) {
    return isDeepStrictEqual(state, payload) ? [] : [{ type: 'SkillFolderReplacedEvent', data: payload }];
  },

  evolve(_state, event) {
    return event.data;
  },
};

/** What came with a skill that was imported as a folder. */
export interface SkillFolderRow {
  readonly host_id: string;
  readonly skill_id: string;
  readonly head: string;
  readonly files: StoredFolder['files'];
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
  readonly position: number;
}

export const skillFolderRows = tableOf<SkillFolderRow>('skill_folder_t', ['host_id', 'skill_id'], {
  host_id: 'uuid',
  skill_id: 'uuid',
  head: 'text',
  files: 'jsonb',
  aggregate_version: 'bigint',
  update_ts: 'timestamptz',
  update_user: 'text',
  position: 'bigint',
});

export const skillFolderProjection: Projection = {
  name: 'skill-folders',
  tables: ['skill_folder_t'],
  handles: ['SkillFolderReplacedEvent'] satisfies readonly SkillFolderEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & SkillFolderEvent)[];
    const rows = new RowChanges<SkillFolderRow>(skillFolderRows);
    for (const event of events) {
      const key = { host_id: event.host, skill_id: event.aggregateid };
      rows.set(key, { ...event.data, ...auditOf(event) }, true);
    }
    rows.write(tx);
  },
};
