import { ConfigurationFault, readConfig, requireServable } from './config.js';
import { settingRows } from './settings.js';
import { misspelt, weakened } from './start-notes.js';

const issuer = {
  AUTH_JWKS_URI: 'https://a.test/jwks',
  AUTH_ISSUER: 'https://a.test',
  AUTH_AUDIENCE: 'catalog',
};

function faultsOf(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.message;
  }
  return '';
}

describe('the environment', () => {
  it('may be empty: embedded database and development issuer', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
      sampleData: true,
      tokens: { kind: 'development' },
    });
  });

  it('counts an empty value as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).not.toHaveProperty('databaseUrl');
  });

  it('is refused with every fault named', () => {
    const message = faultsOf({ PORT: 'many', LOG_LEVEL: 'loud', AUTH_ISSUER: 'x', RATE_LIMIT: '-1' });
    for (const name of ['PORT', 'LOG_LEVEL', 'AUTH_ISSUER', 'RATE_LIMIT']) expect(message).toContain(name);
  });

  it('is not repeated where it may hold a password', () => {
    expect(faultsOf({ DATABASE_URL: 'mysql://root:hunter2@db' })).toMatch(/DATABASE_URL(?!.*hunter2)/s);
  });

  it('reads no variable that is not in the table', () => {
    expect(settingRows().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['PORT', 'AUTH_JWKS_URI', 'DATA_DIR']),
    );
    expect(settingRows().every(({ meaning }) => meaning.endsWith('.'))).toBe(true);
  });

  it('switches the rate limit off', () => {
    expect(readConfig({ RATE_LIMIT: 'off' })).not.toHaveProperty('rateLimit');
    expect(readConfig({ RATE_LIMIT: '5' })).toHaveProperty('rateLimit', 5);
  });
});

describe('an issuer', () => {
  it('is named by three variables', () => {
    expect(
      readConfig({ ...issuer, AUTH_AUDIENCE: 'a, b', AUTH_REQUIRE_AT_JWT: 'true' }).tokens,
    ).toMatchObject({
      kind: 'issuer',
      audience: ['a', 'b'],
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      requireAtJwt: true,
    });
  });

  it.each(['AUTH_ISSUER', 'AUTH_AUDIENCE'])('needs %s', (name) => {
    expect(faultsOf({ ...issuer, [name]: undefined })).toContain(`${name} is required`);
  });

  it('may sign with asymmetric algorithms only', () => {
    for (const algorithms of ['HS256', 'none', 'RS256,HS256', 'RS256,none', 'rs256']) {
      expect(faultsOf({ ...issuer, AUTH_ALGORITHMS: algorithms })).toContain('AUTH_ALGORITHMS');
    }
  });

  it('publishes its keys over https, or on this machine', () => {
    expect(faultsOf({ ...issuer, AUTH_JWKS_URI: 'http://a.test/jwks' })).toContain('AUTH_JWKS_URI');
    expect(faultsOf({ ...issuer, AUTH_JWKS_URI: 'file:///etc/jwks' })).toContain('AUTH_JWKS_URI');
    expect(faultsOf({ ...issuer, AUTH_JWKS_URI: 'http://[::1]:9/jwks' })).toBe('');
    expect(faultsOf({ ...issuer, AUTH_JWKS_URI: 'http://127.0.0.1:9/jwks' })).toBe('');
  });
});

describe('the development issuer', () => {
  const kind = (environment: NodeJS.ProcessEnv): string => readConfig(environment).tokens.kind;
  const DATABASE_URL = 'postgres://db/x';

  it.each(['127.0.0.1', 'localhost', '::1', '127.1.2.3'])('is on with HOST %s', (HOST) => {
    expect(kind({ HOST })).toBe('development');
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', 'example.test', '127.0.0.1.example.test'])(
    'is off with HOST %s',
    (HOST) => {
      expect(kind({ HOST })).toBe('none');
      expect(kind({ HOST, AUTH_DEV_ISSUER: 'on' })).toBe('none');
    },
  );

  it('is off in production, whatever is asked for', () => {
    expect(kind({ NODE_ENV: 'production' })).toBe('none');
    expect(kind({ NODE_ENV: 'production', AUTH_DEV_ISSUER: 'on' })).toBe('none');
  });

  it('is off beside another issuer, and can’t be forced', () => {
    expect(kind(issuer)).toBe('issuer');
    expect(faultsOf({ ...issuer, AUTH_DEV_ISSUER: 'on' })).toContain('AUTH_DEV_ISSUER');
  });

  it('must be asked for with a database of its own', () => {
    expect(kind({ DATABASE_URL })).toBe('none');
    expect(kind({ DATABASE_URL, AUTH_DEV_ISSUER: 'on' })).toBe('development');
  });

  it('can be switched off', () => {
    expect(kind({ AUTH_DEV_ISSUER: 'off' })).toBe('none');
  });

  it('says why it is off and what to do', () => {
    expect(readConfig({ HOST: '0.0.0.0' }).tokens).toHaveProperty(
      'reason',
      expect.stringMatching(/AUTH_JWKS_URI.*HOST/),
    );
  });
});

describe('production', () => {
  const production = { ...issuer, NODE_ENV: 'production' };
  const serves = (environment: NodeJS.ProcessEnv) => () => {
    requireServable(readConfig(environment));
  };

  it('is refused on the embedded database, with every fault named', () => {
    expect(serves(production)).toThrow(/DATABASE_URL is missing, and NODE_ENV is production/);
    expect(serves({ NODE_ENV: 'production' })).toThrow(/AUTH_JWKS_URI[^]*DATABASE_URL/);
    expect(serves({ ...production, DATABASE_URL: 'postgres://db/x' })).not.toThrow();
    expect(serves(issuer)).not.toThrow();
  });

  it('is never filled with sample data', () => {
    expect(readConfig({ ...production, SAMPLE_DATA: 'on' }).sampleData).toBe(false);
    expect(readConfig({ DATABASE_URL: 'postgres://db/x', SAMPLE_DATA: 'on' }).sampleData).toBe(false);
  });
});

describe('what is logged at start', () => {
  const strong = { ...issuer, DATABASE_URL: 'postgres://db/x', AUTH_REQUIRE_AT_JWT: 'true' };

  it('is nothing where no setting weakens anything', () => {
    expect(weakened(readConfig(strong))).toEqual([]);
  });

  it.each([
    ['RATE_LIMIT', 'off'],
    ['AUTH_REQUIRE_AT_JWT', 'false'],
    ['OUTBOUND_ALLOW', '10.0.0.0/8'],
    ['BODY_LIMIT', '1048577'],
    ['UPLOAD_LIMIT', '33554433'],
    ['LOG_LEVEL', 'silent'],
  ])('names %s %s', (name, value) => {
    expect(weakened(readConfig({ ...strong, [name]: value }))).toEqual([expect.stringContaining(name)]);
  });

  it('names the development issuer and the embedded database', () => {
    expect(weakened(readConfig({}))).toEqual([
      expect.stringContaining('development issuer'),
      expect.stringContaining('embedded database'),
    ]);
  });

  it.each([
    ['RATE_LIMT', 'RATE_LIMIT'],
    ['RATE_LIMITS', 'RATE_LIMIT'],
    ['RTAE_LIMIT', 'RATE_LIMIT'],
    ['rate-limit', 'RATE_LIMIT'],
    ['RATELIMIT', 'RATE_LIMIT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['AUTH_JWKS_URL', 'AUTH_JWKS_URI'],
    ['Port', 'PORT'],
  ])('asks of %s whether %s is meant', (given, meant) => {
    expect(misspelt({ [given]: 'secret' })).toEqual([
      `${given} is no setting, and nothing reads it: is ${meant} meant?`,
    ]);
  });

  it('says nothing of settings, and of names of other programs', () => {
    const others = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'POST',
      'COST',
      'USER',
      'DATABASE',
      'LOG',
      'PGHOST',
      'NODE_OPTIONS',
      '',
    ];
    expect(
      misspelt(
        Object.fromEntries([...settingRows().map(({ name }) => name), ...others].map((name) => [name, 'x'])),
      ),
    ).toEqual([]);
  });
});
