import { isUuid } from '../platform/validation/validator.js';
import { CliFault, exitCodes } from './cli-fault.js';

/** Refuses what is no host id, before anything is opened. */
export function checkHost(hostId: string): void {
  if (isUuid(hostId)) return;
  throw new CliFault(exitCodes.usage, '--host is no host id: write a UUID in lower case.');
}
