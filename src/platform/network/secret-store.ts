import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { CONFIG, type Config } from '../config/config.js';
import { isUuid, jsonValidator } from '../validation/validator.js';
import { secretNamePattern } from '../http/schemas.js';

const secretFile = {
  type: 'object',
  required: ['value', 'origins'],
  properties: {
    value: { type: 'string', minLength: 1, maxLength: 65_536, pattern: '^[\\x21-\\x7e]+$' },
    origins: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'string' } },
  },
} as const satisfies JSONSchema;

const validate = jsonValidator(secretFile);

/** A secret can't be used; the message says why, and never what is in it. */
export class SecretUnavailable extends Error {}

/** Secrets for outbound connections, `SECRETS_DIR/<hostId>/<name>.json`, read anew each time (docs/contract.md, section 9). */
@Injectable()
export class SecretStore {
  private readonly directory: string | undefined;

  constructor(@Inject(CONFIG) { secretsDirectory }: Pick<Config, 'secretsDirectory'>) {
    this.directory = secretsDirectory;
  }

  /** The value of the host's secret, if it is meant for the origin. Throws SecretUnavailable. */
  async valueFor(hostId: string, name: string, origin: string): Promise<string> {
    if (this.directory === undefined) throw new SecretUnavailable('SECRETS_DIR is not set.');
    if (!isUuid(hostId) || !new RegExp(secretNamePattern).test(name))
      throw new SecretUnavailable('The name of the secret is none.');
    const { value, origins } = await this.read(this.directory, hostId, name);
    const meant = origins.some((text) => URL.canParse(text) && new URL(text).origin === origin);
    if (meant) return value;
    throw new SecretUnavailable(`The secret ${name} is not meant for ${origin}: its origins do not name it.`);
  }

  private async read(
    directory: string,
    hostId: string,
    name: string,
  ): Promise<FromSchema<typeof secretFile>> {
    let secret: unknown;
    try {
      secret = JSON.parse(await readFile(join(directory, hostId, `${name}.json`), 'utf8'));
    } catch {
      throw new SecretUnavailable(`There is no readable file ${hostId}/${name}.json in SECRETS_DIR.`);
    }
    if (validate(secret).length > 0)
      throw new SecretUnavailable(`The secret ${name} has not the shape {"value", "origins": [...]}.`);
    return secret as FromSchema<typeof secretFile>;
  }
}
