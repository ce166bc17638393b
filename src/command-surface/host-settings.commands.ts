import { Command } from '../eventsourcing/command.js';
import type { HostSettings } from './host-settings.events.js';

/** The aggregate id is the host's: there is one of it. */
export class ChangeHostSettings extends Command<{ readonly settings: HostSettings }> {
  readonly aggregateType = 'HostSettings';
}
