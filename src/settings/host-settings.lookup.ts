import type { Sql } from '../eventsourcing/sql.js';
import { defaultSettings, type HostSettings } from './host-settings.events.js';

/** The settings of the host, with the defaults for what nobody has changed. */
export async function settingsOf(sql: Sql, hostId: string): Promise<Required<HostSettings>> {
  const [row] = await sql.query<Required<HostSettings>>(
    `SELECT command_tools AS "commandTools", quarantine FROM host_settings_t WHERE host_id = $1`,
    [hostId],
    'host_settings',
  );
  return row ?? defaultSettings;
}
