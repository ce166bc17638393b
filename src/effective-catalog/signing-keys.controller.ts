import { Controller, Get, Header } from '@nestjs/common';
import { Operation } from '../platform/http/operation.js';
import { CatalogSignature } from './catalog-signature.service.js';

const example = {
  keys: [
    { kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', kid: 'k1', alg: 'ES256' },
  ],
};

/** RFC 7517. */
const publicKey = {
  type: 'object',
  additionalProperties: true,
  required: ['kty', 'kid', 'alg'],
  properties: { kty: { type: 'string' }, kid: { type: 'string' }, alg: { type: 'string' } },
} as const;

/** The keys by which signed catalogs are verified. */
@Controller('.well-known')
export class SigningKeysController {
  constructor(private readonly signature: CatalogSignature) {}

  @Get('jwks.json')
  @Header('cache-control', 'public, max-age=300')
  @Operation({
    id: 'getSigningKeys',
    summary: 'The public keys of signed catalogs',
    description: 'A JWK Set (RFC 7517). Empty where the service has no key to sign with.',
    scope: 'none',
    answer: {
      type: 'object',
      required: ['keys'],
      properties: { keys: { type: 'array', items: publicKey } },
    },
    example: { answer: example },
    tag: 'agents',
  })
  keys(): Promise<object> {
    return this.signature.published();
  }
}
