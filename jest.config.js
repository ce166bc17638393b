/** One configuration, three projects: `unit` beside the code, `integration` on a database, `e2e` over HTTP. */
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

export default {
  // Ends what hangs. No test is about time, and a machine may be busy or slow. Three tests of many generated cases have
  // longer: ten minutes in test/e2e/catalog-history, fifteen in test/integration/graph/{agreement,hostile}.
  testTimeout: 300_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,packages}/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
    },
    { ...shared, displayName: 'integration', testMatch: ['<rootDir>/test/integration/**/*.spec.ts'] },
    { ...shared, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'] },
  ],
};
