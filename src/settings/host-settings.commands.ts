import { Command } from '../eventsourcing/command.js';
import type { HostSettings } from './host-settings.events.js';

/** The aggregate id is the host's: there is one of it. A setting that is left out stays. */
export class ChangeHostSettings extends Command<{ readonly settings: Partial<HostSettings> }> {
  readonly aggregateType = 'HostSettings';
}
