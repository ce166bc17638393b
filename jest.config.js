/**
 * One configuration, four lanes. `unit`: pure, beside the code. `slow`: hostile documents, laws of many runs, corpora,
 * fences. `database`: on every database there is, below HTTP and over it. `system`: processes.
 */
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
  testEnvironment: 'node',
};

const lane = (displayName, ...testMatch) => ({ ...shared, displayName, testMatch });
const pure = ['<rootDir>/{src,packages}/**', '<rootDir>/test'];

export default {
  // Ends what hangs. No test is about time, and a machine may be busy or slow.
  testTimeout: 600_000,
  projects: [
    lane('unit', ...pure.map((folder) => `${folder}/!(*.slow).spec.ts`)),
    lane('slow', ...pure.map((folder) => `${folder}/*.slow.spec.ts`)),
    {
      ...lane('database', '<rootDir>/test/{integration,e2e}/**/*.spec.ts'),
      testEnvironment: '<rootDir>/test/database-environment.mjs',
    },
    lane('system', '<rootDir>/test/system/**/*.spec.ts'),
  ],
};
