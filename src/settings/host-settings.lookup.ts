/** The settings of hosts: rows, projection and reads. */
import type { RecordedEvent } from '../kernel/event.js';
import type { Projection } from '../kernel/slice.js';
import type { Sql } from '../kernel/sql.js';
import { auditOf, RowChanges, tableOf } from '../platform/database/row-changes.js';
import {
  defaultSettings,
  hostSettingsDecider,
  type HostSettings,
  type HostSettingsEvent,
} from './host-settings.commands.js';

/** Settings of a host, from the first change on. */
export interface HostSettingsRow {
  readonly host_id: string;
  readonly command_tools: boolean;
  readonly quarantine: boolean;
  readonly auto_approve: boolean;
  readonly discovery: boolean;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
  /** Of the last event that changed the row. */
  readonly position: number;
}

export const hostSettingsRows = tableOf<HostSettingsRow>('host_settings_t', ['host_id'], {
  host_id: 'uuid',
  command_tools: 'boolean',
  quarantine: 'boolean',
  auto_approve: 'boolean',
  discovery: 'boolean',
  aggregate_version: 'bigint',
  update_ts: 'timestamptz',
  update_user: 'text',
  position: 'bigint',
});

export const hostSettingsProjection: Projection = {
  name: 'host-settings',
  tables: ['host_settings_t'],
  handles: ['HostSettingsChangedEvent'] satisfies readonly HostSettingsEvent['type'][],

  apply(tx, recorded) {
    const rows = new RowChanges<HostSettingsRow>(hostSettingsRows);
    for (const event of recorded as readonly (RecordedEvent & HostSettingsEvent)[]) {
      const settings = hostSettingsDecider.evolve(defaultSettings, event);
      const columns = {
        command_tools: event.data.commandTools,
        quarantine: settings.quarantine,
        auto_approve: settings.autoApprove,
        discovery: settings.discovery,
        ...auditOf(event),
      };
      rows.set({ host_id: event.host }, columns, true);
    }
    rows.write(tx);
  },
};

/** Loads the settings of the host, with the defaults for what nobody has changed. */
export async function settingsOf(sql: Sql, hostId: string): Promise<Required<HostSettings>> {
  const { commandTools, quarantine, autoApprove, discovery } = await storedSettings(sql, hostId);
  return { commandTools, quarantine, autoApprove, discovery };
}

/** Loads the settings with version and time of the last change. */
export async function storedSettings(sql: Sql, hostId: string) {
  const [row] = await sql.query<Omit<HostSettingsRow, 'host_id'>>(
    `SELECT command_tools, quarantine, auto_approve, discovery, aggregate_version, position, update_ts, update_user
     FROM host_settings_t WHERE host_id = $1`,
    [hostId],
    'host_settings',
  );
  return {
    commandTools: row?.command_tools ?? defaultSettings.commandTools,
    quarantine: row?.quarantine ?? defaultSettings.quarantine,
    autoApprove: row?.auto_approve ?? defaultSettings.autoApprove,
    discovery: row?.discovery ?? defaultSettings.discovery,
    aggregateVersion: row?.aggregate_version ?? 0,
    position: row?.position ?? 0,
    updateTs: row?.update_ts ?? null,
    updateUser: row?.update_user ?? null,
  };
}
