import { tableOf } from '../../platform/database/row-changes.js';
import type { StoredFolder } from './skill-folder.events.js';

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
