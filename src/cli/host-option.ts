import { isUuid } from '../platform/validation/validator.js';
import { CliFault, exitCodes } from './cli-fault.js';

/** Refuses what is no host id, before anything is opened. */
export function checkHost(hostId: string): void {
  checkId('--host', hostId);
}

/** Refuses what is no id, naming the option that it was given to. */
export function checkId(option: string, id: string): void {
  const refusal = `${option} ${id} is no id: write a UUID in lower case.`;
  if (!isUuid(id)) throw new CliFault(exitCodes.usage, refusal);
}
