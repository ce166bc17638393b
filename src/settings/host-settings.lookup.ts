/** The settings of hosts as rows, and how they are read. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { Sql } from '../eventsourcing/sql.js';
import { auditOf, RowChanges } from '../platform/database/row-changes.js';
import { defaultSettings, type HostSettings, type HostSettingsEvent } from './host-settings.commands.js';

/** Settings of a host, from the first change on. */
@Entity('host_settings_t')
export class HostSettingsRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @Column({ type: 'boolean' }) command_tools!: boolean;
  @Column({ type: 'boolean' }) quarantine!: boolean;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  /** Of the last event that changed the row. */
  @Column({ type: 'bigint' }) position!: number;
}

export const hostSettingsProjection: Projection = {
  name: 'host-settings',
  tables: ['host_settings_t'],
  handles: ['HostSettingsChangedEvent'] satisfies readonly HostSettingsEvent['type'][],

  apply(tx, recorded) {
    const rows = new RowChanges(HostSettingsRow);
    for (const event of recorded as readonly (RecordedEvent & HostSettingsEvent)[]) {
      const columns = {
        command_tools: event.data.commandTools,
        quarantine: event.data.quarantine ?? defaultSettings.quarantine,
        ...auditOf(event),
      };
      rows.set({ host_id: event.host }, columns, true);
    }
    rows.write(tx);
  },
};

/** The settings of the host, with the defaults for what nobody has changed. */
export async function settingsOf(sql: Sql, hostId: string): Promise<Required<HostSettings>> {
  const { commandTools, quarantine } = await storedSettings(sql, hostId);
  return { commandTools, quarantine };
}

/** The settings with version and time of the last change. */
export async function storedSettings(sql: Sql, hostId: string) {
  const [row] = await sql.query<Omit<HostSettingsRow, 'host_id'>>(
    `SELECT command_tools, quarantine, aggregate_version, position, update_ts, update_user
     FROM host_settings_t WHERE host_id = $1`,
    [hostId],
    'host_settings',
  );
  return {
    commandTools: row?.command_tools ?? defaultSettings.commandTools,
    quarantine: row?.quarantine ?? defaultSettings.quarantine,
    aggregateVersion: row?.aggregate_version ?? 0,
    position: row?.position ?? 0,
    updateTs: row?.update_ts ?? null,
    updateUser: row?.update_user ?? null,
  };
}
