import { refuseLessGuarded } from '../platform/auth/claims.js';
import type { Writer } from '../platform/use-cases/use-case.js';
import { refuseSecretsIn } from '../platform/validation/secrets-in-texts.js';
import { newlyAddressesModel } from '../platform/validation/untrusted-text.js';

/** Refuses a category or a tag with a secret in it; one that addresses the model is an administrator's to make. */
export function checkTerm(given: object, { caller }: Writer): Promise<void> {
  refuseLessGuarded(caller, newlyAddressesModel(undefined, given));
  return refuseSecretsIn(given);
}
