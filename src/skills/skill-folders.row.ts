import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredFolder } from './skill-folder.events.js';

/** What came with a skill that was imported as a folder. */
@Entity('skill_folder_t')
export class SkillFolderRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) skill_id!: string;
  @Column({ type: 'text' }) head!: string;
  @Column({ type: 'jsonb' }) files!: StoredFolder['files'];
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
