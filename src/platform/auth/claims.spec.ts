import { goodClaims } from '../../../test/token-issuer.js';
import type { Caller, Scope } from './caller.js';
import { covers } from './caller.js';
import { callerOf, refuseConfined, requireScope } from './claims.js';

const uuid = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const read = (changes: Readonly<Record<string, unknown>> = {}): Caller =>
  callerOf({ iss: 'i', exp: 1, ...goodClaims, ...changes });
const refused = expect.objectContaining({ status: 403, code: 'claim_invalid' }) as Error;

describe('a claim', () => {
  it('is trimmed', () => {
    expect(read({ host: ` ${uuid} `, sid: '\ts\n', env: ' e ', agent_def_id: ` ${uuid} ` })).toMatchObject({
      hostId: uuid,
      services: ['s'],
      environments: ['e'],
      agentDefId: uuid,
    });
  });

  it.each(['zzz', uuid.toUpperCase(), uuid.replaceAll('-', ''), `{${uuid}}`, `urn:uuid:${uuid}`, `${uuid}0`])(
    '%s is no id of a host or an agent: a UUID has one spelling',
    (value) => {
      for (const name of ['host', 'agent_def_id'])
        expect(() => read({ [name]: value })).toThrow(`${name} must be a UUID in lower case`);
    },
  );

  it.each(['host', 'sid', 'env'])('%s is required', (name) => {
    expect(() => read({ [name]: undefined })).toThrow(refused);
  });

  it.each(['host', 'sid', 'env', 'agent_def_id', 'maxSensitivityTier', 'sub', 'client_id'])(
    '%s may be no blank, no other JSON type, no control characters and no endless text',
    (name) => {
      for (const value of ['', '  ', 7, true, null, {}, 'a\u0000b', '\ud800', 'x'.repeat(256)]) {
        expect(() => read({ [name]: value })).toThrow(refused);
      }
    },
  );

  it.each(['host', 'agent_def_id', 'maxSensitivityTier', 'sub', 'client_id'])(
    '%s may be no array',
    (name) => {
      expect(() => read({ [name]: ['one'] })).toThrow(refused);
    },
  );

  it('missing, is not made up for by sub', () => {
    expect(() => read({ sid: undefined, sub: 'tidewell.accounts-1.0.0' })).toThrow(refused);
  });

  it('sub may be missing', () => {
    expect(read({ sub: undefined, client_id: undefined }).actor).toEqual({ user: '' });
  });
});

describe('arrays', () => {
  it.each([
    ['sid', 'services'],
    ['env', 'environments'],
  ])('of %s are taken without catalog:agent, each value trimmed', (name, property) => {
    expect(read({ [name]: [' b ', 'a', 'a'] })).toHaveProperty(property, ['a', 'b']);
  });

  it('of both are refused', () => {
    expect(() => read({ sid: ['a'], env: ['b'] })).toThrow(refused);
    expect(() => read({ sid: ['a'], env: ['b'], scope: 'catalog:read catalog:all-services' })).toThrow(
      refused,
    );
  });

  it.each(['sid', 'env'])('of %s are refused with catalog:agent', (name) => {
    expect(() => read({ [name]: ['a'], scope: 'catalog:agent' })).toThrow(refused);
    expect(() => read({ [name]: ['a'], scope: 'catalog:agent catalog:admin' })).toThrow(refused);
  });

  it.each(['sid', 'env'])('of %s hold 1 to 50 texts', (name) => {
    const values = Array.from({ length: 51 }, (_, index) => `v${String(index)}`);
    expect(() => read({ [name]: values.slice(1) })).not.toThrow();
    for (const value of [values, [], ['a', 7], ['a', ' '], [['a']]])
      expect(() => read({ [name]: value })).toThrow(refused);
  });
});

describe('catalog:all-services', () => {
  const scope = 'catalog:read catalog:all-services';

  it('frees from sid, missing or not', () => {
    expect(read({ scope, sid: undefined }).services).toBe('all');
    expect(read({ scope }).services).toBe('all');
  });

  it('does not free from host or env', () => {
    expect(() => read({ scope, host: undefined })).toThrow(refused);
    expect(() => read({ scope, env: undefined })).toThrow(refused);
  });

  it('does not mend a malformed sid', () => {
    expect(() => read({ scope, sid: 7 })).toThrow(refused);
  });

  it('does nothing in a token with catalog:agent', () => {
    expect(() => read({ scope: `${scope} catalog:agent`, sid: undefined })).toThrow(refused);
    expect(read({ scope: `${scope} catalog:agent` }).services).toEqual(['tidewell.accounts-1.0.0']);
  });

  it('is the only wildcard', () => {
    expect(covers(read({ sid: '*', env: '*' }), 'a', 'b')).toBe(false);
  });
});

describe('scopes', () => {
  const admitted = (claims: Readonly<Record<string, unknown>>, ...anyOf: Scope[]): boolean => {
    try {
      requireScope(read({ scope: undefined, ...claims }), ...anyOf);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ status: 403, code: 'insufficient_scope' });
      expect(error).toHaveProperty(
        ['headers', 'www-authenticate'],
        expect.stringContaining('insufficient_scope'),
      );
      return false;
    }
  };

  it.each([
    [{ scope: 'catalog:write other' }],
    [{ scp: 'other catalog:write' }],
    [{ scp: ['catalog:write'] }],
    [{ scope: ['catalog:write', 'other'] }],
  ])('are read from %j', (claims) => {
    expect(admitted(claims, 'catalog:write')).toBe(true);
  });

  it.each([[{ scope: 7 }], [{ scope: { a: 1 } }], [{ scp: ['catalog:write', 7] }], [{ scope: null }]])(
    'of another type are refused: %j',
    (claims) => {
      expect(() => read({ scope: undefined, ...claims })).toThrow(refused);
    },
  );

  it('are exact and case-sensitive', () => {
    for (const scope of ['Catalog:Write', 'catalog:write,catalog:admin', 'catalog:*', 'catalog', '']) {
      expect(admitted({ scope }, 'catalog:write')).toBe(false);
    }
    expect(admitted({}, 'catalog:write')).toBe(false);
  });

  it('of a text go before those of scp, and are not joined with them', () => {
    expect(admitted({ scope: 'catalog:agent', scp: ['catalog:admin'] }, 'catalog:admin')).toBe(false);
  });

  it('to write or administer let read; nothing lets write or act as agent but itself', () => {
    expect(admitted({ scope: 'catalog:write' }, 'catalog:read')).toBe(true);
    expect(admitted({ scope: 'catalog:admin' }, 'catalog:read')).toBe(true);
    expect(admitted({ scope: 'catalog:agent' }, 'catalog:read')).toBe(false);
    expect(admitted({ scope: 'catalog:admin catalog:read' }, 'catalog:write')).toBe(false);
    expect(admitted({ scope: 'catalog:write catalog:read' }, 'catalog:admin')).toBe(false);
    expect(admitted({ scope: 'catalog:admin' }, 'catalog:agent')).toBe(false);
  });
});

describe('maxSensitivityTier', () => {
  it('is one of the tiers', () => {
    expect(read({ maxSensitivityTier: ' confidential ' }).maxTier).toBe('confidential');
    expect(read().maxTier).toBeUndefined();
  });

  it('with another word is refused, not guessed', () => {
    for (const value of ['secret', 'Restricted-PII', 'all', 'Confidential', 'PUBLIC']) {
      expect(() => read({ maxSensitivityTier: value })).toThrow(refused);
    }
  });
});

describe('the fingerprint', () => {
  it('tells callers apart by each part of them, and by nothing that changes with every token', () => {
    const changes = [
      {},
      { sub: 'b' },
      { client_id: 'b' },
      { sid: 'b' },
      { sid: 'c', scope: 'catalog:all-services' },
      { env: 'b' },
      { agent_def_id: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02' },
      { iss: 'b' },
    ];
    expect(new Set(changes.map((change) => read(change).fingerprint)).size).toBe(changes.length);
    expect(read({ exp: 9, iat: 9, jti: 'x' }).fingerprint).toBe(read().fingerprint);
  });
});

describe('a confined token', () => {
  it('is refused where an agent’s catalog is not what is asked for', () => {
    expect(() => {
      refuseConfined(read({ agent_def_id: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01' }));
    }).toThrow('agent_def_id');
    expect(() => {
      refuseConfined(read());
    }).not.toThrow();
  });
});
