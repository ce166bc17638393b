import fences, { floors, inner, slices } from '../.dependency-cruiser.mjs';
import { PlantedTree } from './planted-tree.js';

/** What a file exports does not matter here; what it imports does. */
const imports = (...paths: string[]): string =>
  `${paths.map((path, index) => `import * as m${index} from '${path}';\nvoid m${index};`).join('\n')}\nexport const own = 1;\n`;

const neighbours = floors.map((floor, height) => [floor, floors[height + 1]] as const);

/** One violation of each fence: the rule, the file that breaks it, and all files that it takes. */
const violations: readonly { rule: string; file: string; tree: Readonly<Record<string, string>> }[] = [
  ...neighbours.map(([floor, above]) => ({
    rule: `downward-only-from-${floor}`,
    file: `src/${floor}/upward.events.ts`,
    tree: {
      [`src/${floor}/upward.events.ts`]: imports(above === undefined ? '../top.js' : `../${above}/public.js`),
      ...(above === undefined ? { 'src/top.ts': imports() } : { [`src/${above}/public.ts`]: imports() }),
    },
  })),
  ...Object.entries(inner).flatMap(([slice, rooms]) =>
    rooms.map((room, height) => {
      const above = rooms[height + 1];
      const [path, file] =
        above === undefined
          ? ['../top.js', `src/${slice}/top.ts`]
          : [`../${above}/a.js`, `src/${slice}/${above}/a.ts`];
      return {
        rule: `downward-only-from-${slice}-${room}`,
        file: `src/${slice}/${room}/upward.events.ts`,
        tree: { [`src/${slice}/${room}/upward.events.ts`]: imports(path), [file]: imports() },
      };
    }),
  ),
  ...slices.map((slice) => {
    const other = slice === 'effective-catalog' ? 'agents' : 'effective-catalog';
    return {
      rule: `through-lists-of-${slice}`,
      file: `src/${other}/burglar-of-${slice}.ts`,
      tree: {
        [`src/${other}/burglar-of-${slice}.ts`]: imports(`../${slice}/bedroom.js`),
        [`src/${slice}/bedroom.ts`]: imports(),
      },
    };
  }),
  {
    rule: 'shared-packages-stand-alone',
    file: 'packages/ranking/leaning.ts',
    tree: { 'packages/ranking/leaning.ts': imports('node:crypto') },
  },
  {
    rule: 'schemas-are-read-alone',
    file: 'packages/schema-reading/leaning.ts',
    tree: { 'packages/schema-reading/leaning.ts': imports('node:crypto') },
  },
  {
    rule: 'tool-clients-are-made-alone',
    file: 'packages/tool-clients/leaning.ts',
    tree: { 'packages/tool-clients/leaning.ts': imports('node:fs') },
  },
  {
    rule: 'agent-client-without-the-service',
    file: 'packages/agent-client/peeping.ts',
    tree: {
      'packages/agent-client/peeping.ts': imports('../../src/platform/peeped.js'),
      'src/platform/peeped.ts': imports(),
    },
  },
  {
    rule: 'agent-client-names-what-it-needs',
    file: 'packages/agent-client/greedy.ts',
    tree: { 'packages/agent-client/greedy.ts': imports('ajv') },
  },
  {
    rule: 'portal-without-the-service',
    file: 'ui/src/parts/peeping.ts',
    tree: {
      'ui/src/parts/peeping.ts': imports('../../../src/platform/peeped.js'),
      'src/platform/peeped.ts': imports(),
    },
  },
  {
    rule: 'screens-stand-apart',
    file: 'ui/src/screens/tools/peeping.ts',
    tree: {
      'ui/src/screens/tools/peeping.ts': imports('../skills/peeped.js'),
      'ui/src/screens/skills/peeped.ts': imports(),
    },
  },
  {
    rule: 'no-circles',
    file: 'src/tools/circle-a.ts',
    tree: {
      'src/tools/circle-a.ts': imports('./circle-b.js'),
      'src/tools/circle-b.ts': imports('./circle-a.js'),
    },
  },
  {
    rule: 'no-barrels',
    file: 'src/tools/barrel-user.ts',
    tree: { 'src/tools/barrel-user.ts': imports('./index.js'), 'src/tools/index.ts': imports() },
  },
  {
    rule: 'modules-wire-modules',
    file: 'src/tools/wirer.queries.ts',
    tree: {
      'src/tools/wirer.queries.ts': imports('./wired.module.js'),
      'src/tools/wired.module.ts': imports(),
    },
  },
  {
    rule: 'kernel-names-no-driver',
    file: 'src/kernel/driver.ts',
    tree: { 'src/kernel/driver.ts': imports('pg') },
  },
  {
    rule: 'parsers-in-their-rooms',
    file: 'src/skills/parser.queries.ts',
    tree: { 'src/skills/parser.queries.ts': imports('js-yaml') },
  },
  {
    rule: 'read-side-without-write-side',
    file: 'src/skills/reading.queries.ts',
    tree: {
      'src/skills/reading.queries.ts': imports('./writing.commands.js'),
      'src/skills/writing.commands.ts': imports(),
    },
  },
  {
    rule: 'catalog-of-views-alone',
    file: 'src/effective-catalog/doing.ts',
    tree: {
      'src/effective-catalog/doing.ts': imports('../tools/public.js'),
      'src/tools/public.ts': imports(),
    },
  },
  {
    rule: 'controllers-without-tables',
    file: 'src/skills/table.controller.ts',
    tree: {
      'src/skills/table.controller.ts': imports('./table.row.js'),
      'src/skills/table.row.ts': imports(),
    },
  },
  {
    rule: 'pure-files-import-types-only',
    file: 'src/skills/asking.decider.ts',
    tree: {
      'src/skills/asking.decider.ts': imports('./asked.lookup.js'),
      'src/skills/asked.lookup.ts': imports(),
    },
  },
  {
    rule: 'pure-files-touch-no-machine',
    file: 'src/formats/openapi/reading-files.ts',
    tree: { 'src/formats/openapi/reading-files.ts': imports('node:fs') },
  },
  {
    rule: 'pure-files-know-no-framework',
    file: 'src/skills/framed.policy.ts',
    tree: { 'src/skills/framed.policy.ts': imports('@nestjs/common') },
  },
  {
    rule: 'no-development-packages',
    file: 'src/platform/tested.ts',
    tree: { 'src/platform/tested.ts': imports('fast-check') },
  },
  {
    rule: 'resolvable',
    file: 'src/platform/lost.ts',
    tree: { 'src/platform/lost.ts': imports('./nowhere.js') },
  },
];

/** What the fences must let through. */
const allowed: Readonly<Record<string, string>> = {
  'src/skills/good.decider.ts': `import type { own } from './good.queries.js';\nexport type Own = typeof own;\nimport * as errors from '../kernel/errors.js';\nvoid errors;\n`,
  'src/skills/good.queries.ts': imports('./good.row.js', '../tools/shared.js', '../platform/good.js', 'pg'),
  'src/skills/good.row.ts': imports('../platform/good.js'),
  'src/tools/shared.ts': imports('./good.events.js'),
  'src/tools/good.events.ts': imports('node:crypto'),
  'src/platform/good.ts': imports('../kernel/errors.js', 'pg'),
  'src/kernel/errors.ts': imports(),
  'src/documents/good.ts': imports('js-yaml'),
  'src/good.module.ts': imports('./skills/good.module.js'),
  'src/skills/good.module.ts': imports('../tools/good.module.js'),
  'src/tools/good.module.ts': imports('@nestjs/common'),
  'packages/agent-client/good.ts': imports('../ranking/good.js', 'node:crypto', 'rfc6902'),
  'packages/ranking/good.ts': imports(),
};

describe('the import fences', () => {
  let broken: readonly string[];

  beforeAll(async () => {
    const tree = new PlantedTree(
      Object.fromEntries(
        [allowed, ...violations.map(({ tree: files }) => files)].flatMap((files) => Object.entries(files)),
      ),
    );
    broken = await tree.cruise();
    tree.remove();
  });

  it.each(violations)('$rule refuses $file', ({ rule, file }) => {
    expect(broken).toContain(`${rule} ${file}`);
  });

  it('have a planted violation each, and a reason', () => {
    expect(fences.forbidden.map(({ name }) => name).sort()).toEqual(
      violations.map(({ rule }) => rule).sort(),
    );
    for (const { comment } of fences.forbidden) expect(comment.length).toBeGreaterThan(40);
  });

  it('let through what follows the rules', () => {
    const refused = broken.filter((violation) =>
      Object.keys(allowed).some((file) => violation.endsWith(` ${file}`)),
    );
    expect(refused).toEqual([]);
  });
});

/** One fault for each rule of the lint that is the project's own. */
const faults: readonly { rule: string; file: string; text: string }[] = [
  {
    rule: 'no-restricted-properties',
    file: 'src/platform/environment.ts',
    text: 'export const path = process.env;',
  },
  {
    rule: 'no-restricted-properties',
    file: 'src/skills/environment.decider.ts',
    text: 'export const path = process.env;',
  },
  {
    rule: 'no-restricted-properties',
    file: 'src/skills/environment.service.ts',
    text: 'export const path = process.env;',
  },
  {
    rule: 'no-restricted-imports',
    file: 'src/platform/imported-environment.ts',
    text: `import { env } from 'node:process';\nexport const path = env;`,
  },
  {
    rule: 'no-restricted-imports',
    file: 'src/skills/imported-process.service.ts',
    text: `import process from 'process';\nexport const path = process.title;`,
  },
  {
    rule: 'no-restricted-globals',
    file: 'src/skills/clock.decider.ts',
    text: 'export const now = Date.now();',
  },
  {
    rule: 'no-restricted-globals',
    file: 'src/skills/clock.projection.ts',
    text: 'export const now = new Date();',
  },
  {
    rule: 'no-restricted-properties',
    file: 'src/skills/chance.policy.ts',
    text: 'export const luck = Math.random();',
  },
  {
    rule: 'no-restricted-globals',
    file: 'src/formats/openapi/network.ts',
    text: `export const page = fetch('x');`,
  },
  {
    rule: 'no-restricted-globals',
    file: 'src/platform/auth/sensitivity-tier.ts',
    text: 'export const now = Date.now();',
  },
  ...['performance', 'crypto', 'process', 'setTimeout', 'setInterval', 'setImmediate'].map((name) => ({
    rule: 'no-restricted-globals',
    file: `src/skills/${name}.policy.ts`,
    text: `export const outside = ${name};`,
  })),
  ...Object.entries({
    'claim.spec.ts': 'export const now = Date.now();',
    'wait.spec.ts': 'export const now = performance.now();',
    'tick.spec.ts': 'export const now = process.hrtime();',
    'work.spec.ts': 'export const spent = process.cpuUsage();',
    'timer.spec.ts': 'setTimeout(() => undefined, 100);',
    'sleep.spec.ts': `import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(100);`,
    'global-clock.spec.ts': 'export const now = globalThis.Date.now();',
    'quoted-clock.spec.ts': `export const now = Date['now']();`,
    'taken-clock.spec.ts': 'export const { now } = Date;',
    'new-clock.spec.ts': 'export const now = new Date().getTime();',
    'called-clock.spec.ts': 'export const now = Date();',
    'imported-clock.spec.ts': `import { performance as clock } from 'node:perf_hooks';\nexport const now = clock.now();`,
    'imported-tick.spec.ts': `import { hrtime as clock } from 'node:process';\nexport const now = clock();`,
    'big-tick.spec.ts': 'export const now = process.hrtime.bigint();',
    'origin.spec.ts': 'export const then = performance.timeOrigin;',
    'uptime.spec.ts': 'export const age = process.uptime();',
    'imported-timer.spec.ts': `import { setTimeout as later } from 'node:timers';\nlater(() => undefined, 100);`,
    'global-timer.spec.ts': 'globalThis.setTimeout(() => undefined, 100);',
    'promised-timer.spec.ts': 'await new Promise((done) => setTimeout(done, 100));',
    'all-timers.spec.ts': `import * as timers from 'node:timers/promises';\nawait timers.scheduler.wait(100);`,
    'atomic-sleep.spec.ts':
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);\nexport const own = 1;',
    'signal.spec.ts': 'export const late = AbortSignal.timeout(100);',
    'own-time.spec.ts': `it('x', () => undefined, 100);`,
    'own-times.spec.ts': `it.each([1])('x', () => undefined, 100);`,
    'all-times.spec.ts': 'jest.setTimeout(100);',
    'again.spec.ts': 'jest.retryTimes(3);',
    'patience.spec.ts': `import { until } from '../../test/until.js';\nawait until(() => 1, () => true, 100);`,
    'alone.spec.ts': `it.only('x', () => undefined);`,
    'left-out.spec.ts': `describe.skip('x', () => undefined);`,
    'short.spec.ts': `fit('x', () => undefined);`,
    'law.spec.ts': `import fc from 'fast-check';\nfc.assert(fc.property(fc.nat(), () => true));`,
    'runs.spec.ts': `import fc from 'fast-check';\nfc.assert(fc.property(fc.nat(), () => true), { numRuns: 9 });`,
  }).map(([file, text]) => ({ rule: 'no-restricted-syntax', file: `src/skills/${file}`, text })),
  {
    rule: 'no-restricted-imports',
    file: 'src/skills/pause.spec.ts',
    text: `import { pause } from '../../test/pause.js';\nawait pause(100);`,
  },
  { rule: 'max-lines', file: 'src/platform/long.ts', text: '\n'.repeat(301) },
  {
    rule: 'max-lines-per-function',
    file: 'src/platform/long-function.ts',
    text: `export function long(): number {\n${'  void 0;\n'.repeat(60)}  return 1;\n}`,
  },
  {
    rule: 'no-restricted-syntax',
    file: 'src/platform/many-parameters.ts',
    text: 'export const sum = (a: number, b: number, c: number, d: number, e: number): number => a + b + c + d + e;',
  },
  {
    rule: 'max-depth',
    file: 'src/platform/deep.ts',
    text: 'export function deep(a: boolean): void {\n  if (a) {\n    while (a) {\n      for (;;) {\n        if (a) return;\n      }\n    }\n  }\n}',
  },
  {
    rule: '@typescript-eslint/no-explicit-any',
    file: 'src/platform/untyped.ts',
    text: 'export const anything = (given: any): string => String(given);',
  },
  ...['host.at = Math.min(host.at, await host.ask());', 'host.at += await host.ask();'].map((text, at) => ({
    rule: 'house/stale-writes',
    file: `src/platform/stale-${String(at)}.ts`,
    text: `export async function look(host: { at: number; ask(): Promise<number> }): Promise<void> {\n  ${text}\n}`,
  })),
  {
    rule: '@typescript-eslint/no-floating-promises',
    file: 'src/platform/floating.ts',
    text: 'export function forget(promise: Promise<void>): void {\n  promise;\n}',
  },
];

/** What the lint must let through. */
const faultless: Readonly<Record<string, string>> = {
  'src/platform/config/config.ts': 'export const path = process.env;',
  'src/skills/clock.service.ts': 'export const now = Date.now();',
  'test/soak.ts': 'export const many = (numRuns: number): { numRuns: number } => ({ numRuns });',
  'src/skills/law.laws.spec.ts': `import fc from 'fast-check';\nimport { many } from '../../test/soak.js';\nfc.assert(fc.property(fc.nat(), () => true), many(9));\nfc.assert(fc.property(fc.nat(), () => true), { ...many(9), endOnFailure: true });`,
  'src/platform/awaited.ts':
    'export async function look(host: { at: number; ask(): Promise<number> }): Promise<void> {\n  const at = await host.ask();\n  host.at = Math.min(host.at, at);\n}',
  'src/platform/injected.ts':
    'export class Injected {\n  constructor(\n    readonly a: 1,\n    readonly b: 2,\n    readonly c: 3,\n    readonly d: 4,\n    readonly e: 5,\n  ) {}\n}',
};

describe('the lint', () => {
  let found: readonly string[];

  beforeAll(async () => {
    const files = Object.fromEntries(faults.map(({ file, text }) => [file, `${text}\n`]));
    const tree = new PlantedTree({ ...files, ...faultless });
    found = await tree.lint('src');
    tree.remove();
  });

  it.each(faults)('$rule refuses $file', ({ rule, file }) => {
    expect(found).toContain(`${rule} ${file}`);
  });

  it('lets through what follows the rules', () => {
    expect(
      found.filter((fault) => Object.keys(faultless).some((file) => fault.endsWith(` ${file}`))),
    ).toEqual([]);
  });
});
