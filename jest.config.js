/**
 * One configuration for `npm test` and `npm run soak` (scripts/lanes.mjs). Of the first there are four lanes. `unit`: pure, beside the
 * code. `slow`: hostile documents, laws, fences. `database`: on databases, below HTTP and over it. `system`: processes. Of the second
 * each folder of soak/ is one.
 */
import { readdirSync } from 'node:fs';
import { soakTimeout, testTimeout } from './scripts/lanes.mjs';

const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  testEnvironment: '<rootDir>/test/environment.mjs',
};

const lane = (displayName, ...testMatch) => ({ ...shared, displayName, testMatch });
const onDatabases = (...args) => ({
  ...lane(...args),
  testEnvironment: '<rootDir>/test/database-environment.mjs',
});
const pure = ['<rootDir>/{src,packages}/**', '<rootDir>/test'];
const soaks = readdirSync(new URL('soak', import.meta.url), { withFileTypes: true });

export default {
  testTimeout: process.env.SOAK === 'on' ? soakTimeout : testTimeout,
  projects: [
    lane('unit', ...pure.map((folder) => `${folder}/!(*.slow).spec.ts`)),
    lane('slow', ...pure.map((folder) => `${folder}/*.slow.spec.ts`)),
    onDatabases('database', '<rootDir>/test/{integration,e2e}/**/*.spec.ts'),
    lane('system', '<rootDir>/test/system/**/*.spec.ts'),
    ...soaks
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => onDatabases(`soak-${name}`, `<rootDir>/soak/${name}/**/*.spec.ts`)),
    // Of the runner's own tests: each shows what it makes of tests that fail or hang.
    lane('planted', '<rootDir>/test/planted/*.spec.ts'),
  ],
};
