import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { defaultSettings } from './host-settings.events.js';
import type { HostSettingsAnswer } from './host-settings.schemas.js';
import type { HostSettingsRow } from './host-settings.row.js';

export class GetHostSettings extends Query<HostSettingsAnswer> {
  constructor(readonly hostId: string) {
    super();
  }
}

@QueryHandler(GetHostSettings)
export class GetHostSettingsHandler implements IQueryHandler<GetHostSettings> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ hostId }: GetHostSettings): Promise<HostSettingsAnswer> {
    const rows = await this.database
      .of(hostId)
      .query<HostSettingsRow>('SELECT * FROM host_settings_t WHERE host_id = $1', [hostId]);
    const [row] = rows;
    return {
      commandTools: row?.command_tools ?? defaultSettings.commandTools,
      quarantine: row?.quarantine ?? defaultSettings.quarantine,
      aggregateVersion: row?.aggregate_version ?? 0,
      position: row?.position ?? 0,
      updateTs: row?.update_ts ?? null,
      updateUser: row?.update_user ?? null,
    };
  }
}
