import { isUuid } from '../platform/validation/validator.js';
import { CliFault, exitCodes } from './cli-fault.js';

/** Refuses what is no host id, before anything is opened. */
export function checkHost(hostId: string): void {
  checkId('--host', hostId);
}

/** Refuses what is no id, naming the option that it was given to. */
export function checkId(option: string, id: string): void {
  if (isUuid(id)) return;
  throw new CliFault(exitCodes.usage, `${option} ${id} is no id: write a UUID in lower case.`);
}
