import prettier from 'eslint-config-prettier';
import { defineConfig, globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';
import { slices } from './.dependency-cruiser.mjs';
import { ofTests, pauses } from './eslint.tests.js';

/** Slice files that may know the time: they run on a request or a thread of their own, never on a rebuild. */
const timedRoles = '{module,controller,service,handler,handlers,worker,thread,pool,stream,provider}';

const restrictedWithoutClock = [
  'Date',
  'performance',
  'crypto',
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
].map((name) => ({
  name,
  message: 'No clock, no randomness and no I/O here: take the value as an argument.',
}));

const tooManyParameters = [
  'FunctionDeclaration[params.length>4]',
  'ArrowFunctionExpression[params.length>4]',
  'MethodDefinition[kind!="constructor"] > FunctionExpression[params.length>4]',
  ':not(MethodDefinition) > FunctionExpression[params.length>4]',
].map((selector) => ({
  selector,
  message: 'At most four parameters (constructors excepted): make them one object.',
}));

/** Private words, and the term of the field for each. */
const privateWords = {
  told: 'rendered, redacted, sent',
  'stand(?:ing)?': 'current, state, snapshot',
  'wish(?:es)?': 'options',
  'rehears(?:e|ed|al)': 'dryRun',
  foreseen: 'expected',
  beneath: 'baseline, source',
  'newcomers?': 'added',
  news: 'changed, added',
  vanished: 'missing',
  surroundings: 'context',
  confines: 'agentScope',
  birth: 'createsStream',
  courtesy: 'idlePolicy',
  logEnds: 'headCache',
  hostLanes: 'perHostLimiter',
  'stillHolds?': 'revalidate',
  'most(?=[A-Z])': 'MAX_…',
  'answerOf(?![A-Z])': 'what the answer is of',
};

/** Denies identifiers of these words; members of what other folders declare are passed over. */
const deny = (words) =>
  Object.entries(words).map(([word, term]) => {
    const capital = word.replace(/^./, (letter) => letter.toUpperCase());
    return {
      selector: `:not(MemberExpression, Property, ImportSpecifier) > Identifier[name=/^${word}(?![a-z])|${capital}(?![a-z])/]`,
      message: `Use the term of the field: ${term}.`,
    };
  });
const plainNames = [...tooManyParameters, ...deny(privateWords)];

/** The nodes of an expression that are looked for, in their order; not in functions, nor in what is awaited. */
const among = (node, keys, test) => [
  ...(test(node) ? [node] : []),
  ...(/Function|Await/.test(node.type) ? [] : (keys[node.type] ?? []).flatMap((key) => node[key] ?? []))
    .filter((inner) => inner !== null)
    .flatMap((inner) => among(inner, keys, test)),
];

/** What a statement reads of an object before an `await` may be another by the time it is written: `x.at = Math.min(x.at, await ask())`. */
const staleWrites = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { stale: 'Read {{name}} after the await: it may be another by then.' },
  },
  create: ({ sourceCode, report }) => ({
    'AssignmentExpression[left.type="MemberExpression"]': ({ left, right, operator }) => {
      const name = sourceCode.getText(left);
      const isRead = (node) => node.type === left.type && sourceCode.getText(node) === name;
      const found = (test) => among(right, sourceCode.visitorKeys, test);
      const last = found(({ type }) => type === 'AwaitExpression').at(-1);
      const [read = operator === '=' ? undefined : left] = found(isRead);
      if (last !== undefined && read !== undefined && read.range[0] < last.range[0])
        report({ node: left, messageId: 'stale', data: { name } });
    },
  }),
};

/** Files that may know the time, or leave tests out, so that no other does. */
const clocks = ['test/{until,dates,pause,unless}.ts', 'soak/stopwatch.ts'];

export default defineConfig(
  globalIgnores([
    ...['dist/', 'dist.*/', 'node_modules/', '.data/', 'coverage/', 'test/fixtures/'],
    ...['ui/dist/', 'ui/dist.*/', 'ui/generated/'],
  ]),
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [typescript.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { house: { rules: { 'stale-writes': staleWrites } } },
    rules: {
      'house/stale-writes': 'error',
      // Nest's modules are classes that hold nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `consistent-type-imports` stays off: `import type` of an injected class erases the metadata Nest needs, and
      // verbatimModuleSyntax already demands it for what is only a type.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Slices list command classes themselves; the rule takes a class without members of its own for an instance.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // A command that says all by its name carries no payload: Record<never, never>.
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 3],
      'no-restricted-syntax': ['error', ...tooManyParameters],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/config/*.ts', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only platform/config reads the environment.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:process', 'process'].map((name) => ({
            name,
            importNames: ['env', 'default'],
            message: 'Only platform/config reads the environment.',
          })),
        },
      ],
    },
  },
  {
    // What these answer follows from what they are given: today, on another instance and on a rebuild.
    files: [`src/{${slices.join(',')}}/**/*.ts`, 'src/platform/auth/sensitivity-tier.ts'],
    ignores: ['**/*.spec.ts', `**/*[.-]${timedRoles}.ts`],
    rules: {
      'no-restricted-globals': ['error', ...restrictedWithoutClock],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'No randomness here: take the value as an argument.' },
        {
          object: 'process',
          property: 'env',
          message: 'Only platform/config reads the environment.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'packages/**/*.ts', 'bench/**/*.ts', 'test/**/*.ts', 'soak/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...plainNames] },
  },
  {
    // Search, its evaluations, previews and tool checks are about the words of prompts; the events of tools store fields under that name.
    files: ['src/**/*.ts'],
    ignores: ['src/{search,reviews/evaluation,previews,registry,tools,tool-clients}/**', '**/*.spec.ts'],
    rules: { 'no-restricted-syntax': ['error', ...plainNames, ...deny({ words: 'fields, texts' })] },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'soak/**/*.ts'],
    ignores: clocks,
    rules: { 'no-restricted-syntax': ['error', ...plainNames, ...ofTests] },
  },
  {
    files: ['**/*.spec.ts'],
    rules: { 'no-restricted-imports': ['error', pauses] },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'soak/**/*.ts'],
    rules: {
      // A spec is a list of cases, a describe block its table of contents.
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
      // `expect.objectContaining` and its kin are typed `any` by jest.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    files: ['ui/**/*.{ts,tsx}'],
    rules: {
      // Handlers of events may be short, and may start what takes its time: mutations report for themselves.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // What a component shows is one thought, and wide rather than deep.
      'max-lines-per-function': ['error', { max: 110, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // One catalog a language.
    files: ['ui/src/texts/{en,de}.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [typescript.configs.recommended],
    rules: { 'max-lines': ['error', { max: 250 }], 'max-depth': ['error', 3] },
  },
  prettier,
);
