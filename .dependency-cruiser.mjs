/**
 * The import fences. Each rule gives its reason; test/fences.slow.spec.ts plants a violation of each. A new slice
 * takes its place in `floors`, and every fence knows it.
 */

import { readFileSync } from 'node:fs';

/** Bottom first: a folder imports only from itself and from folders before it. */
export const floors = [
  'kernel',
  'platform',
  'documents',
  'formats',
  'settings',
  'taxonomy',
  'endpoints',
  'registry',
  'tools',
  'tool-clients',
  'importers',
  'workflows',
  'gateways',
  'webhooks',
  'skills',
  'agents',
  'effective-catalog',
  'search',
  'reviews',
  'previews',
  'diagnostics',
  'discovery',
  'graph',
  'command-surface',
  'catalog-code',
  'portal-rpc',
];

/** Floors within a slice, bottom first; what lies beside them puts them together. */
export const inner = {
  tools: ['model', 'tool', 'version', 'publication'],
  reviews: ['evaluation', 'decision', 'approval'],
};

/** Ground floors offer everything they export; a slice above them offers its two lists. */
const belowSlices = ['kernel', 'platform', 'documents'];
export const slices = floors.filter((floor) => !belowSlices.includes(floor));

/** Roles of slice files that meet the database, HTTP, threads or Nest. Every other file of a slice is pure. */
export const impureRoles =
  'record|link|routes|row|projection|queries|statement|filter|lookup|planner|port|batch|reaction|slice|module|controller|operation|service|handlers?|worker|thread|pool|stream|follower|provider';
const pure = `^src/(${['documents', ...slices].join('|')})/(?!(public|.*([.-](${impureRoles})|[.]spec))[.]ts$)(?!.*[.]mjs$)`;
/** What pure files may import of the kernel and the platform as values: errors, declarations, computations. */
const pureGround =
  '^src/(kernel/(errors|event|command|canonical-json|pace)|platform/(auth/(sensitivity-tier|caller)|http/schemas|records/fields|validation/(faults|secrets|secrets-in-texts|validator|unsafe-text[.]pool|unseen-characters|untrusted-text)|database/(conditions|kept-versions)))[.]ts$';
const spec = '[.]spec[.]ts$';

const archives = ['modern-tar', 'yauzl', 'yazl'];
const parsers = [...archives, 'js-yaml', '@scalar/openapi-upgrader', 'protobufjs', 'graphql'];
const drivers = ['pg', '@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'fastify'];
const packages = (names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

const agentClient = new URL('packages/agent-client/package.json', import.meta.url);
const agentClientNeeds = Object.keys(JSON.parse(readFileSync(agentClient, 'utf8')).dependencies);

/** Folders on each other, bottom first: imports run downward only. */
const stacked = (base, folders) =>
  folders.map((folder, height) => ({
    name: `downward-only-from-${`${base}/${folder}`.split('/').slice(1).join('-')}`,
    comment: `${folder}/ stands below what it imports here. Imports run downward only; then circles can't happen.`,
    severity: 'error',
    from: { path: `^${base}/${folder}/`, pathNot: spec },
    to: { path: `^${base}/`, pathNot: `^${base}/(${folders.slice(0, height + 1).join('|')})/` },
  }));

const throughLists = slices.map((slice) => ({
  name: `through-lists-of-${slice}`,
  comment: `${slice}/public.ts and, of what is pure, ${slice}/shared.ts name all that other slices use of ${slice}/: the rest is its own and free to change.`,
  severity: 'error',
  from: { path: `^src/(?!${slice}/)`, pathNot: spec },
  to: { path: `^src/${slice}/`, pathNot: `^src/${slice}/((public|shared)|[^/]+[.](module|slice))[.]ts$` },
}));

export default {
  forbidden: [
    ...stacked('src', floors),
    ...Object.entries(inner).flatMap(([slice, rooms]) => stacked(`src/${slice}`, rooms)),
    ...throughLists,
    {
      name: 'shared-packages-stand-alone',
      comment: 'Service and agent client rank, compare and judge with the same code: it imports nothing.',
      severity: 'error',
      from: { path: '^packages/(ranking|schema-grade|tool-guard)/', pathNot: spec },
      to: { pathNot: '^packages/$1/' },
    },
    {
      name: 'schemas-are-read-alone',
      comment: 'Service and agent client share it: it needs a reader and a judge of regular expressions.',
      severity: 'error',
      from: { path: '^packages/schema-reading/', pathNot: spec },
      to: { pathNot: '(^packages/schema-reading/)|((^|/)node_modules/(safe-regex2|ret)/)' },
    },
    {
      name: 'tool-clients-are-made-alone',
      comment:
        'Packages for those who implement tools follow from specs alone: what makes them reads schemas and regular expressions, hashes names, and touches nothing.',
      severity: 'error',
      from: { path: '^packages/tool-clients/', pathNot: spec },
      to: {
        pathNot:
          '(^packages/(tool-clients|schema-reading)/)|((^|/)node_modules/@eslint-community/regexpp/)|^(node:)?crypto$',
      },
    },
    {
      name: 'agent-client-without-the-service',
      comment: 'The agent client is published by itself: it knows of the service its HTTP interface alone.',
      severity: 'error',
      from: { path: '^packages/agent-client/', pathNot: spec },
      to: { path: '^(src|test|bench|scripts|examples)/' },
    },
    {
      name: 'agent-client-names-what-it-needs',
      comment: 'Whoever installs the agent client gets what its own package.json names, and nothing else.',
      severity: 'error',
      from: { path: '^packages/agent-client/', pathNot: spec },
      to: { path: '(^|/)node_modules/', pathNot: packages(agentClientNeeds) },
    },
    {
      name: 'portal-without-the-service',
      comment: 'The portal runs in a browser: it knows of the service its HTTP interface alone.',
      severity: 'error',
      from: { path: '^ui/' },
      to: { path: '^(src|test|bench|scripts|examples)/' },
    },
    {
      name: 'screens-stand-apart',
      comment: 'Screens share parts/, api/ and texts/: then each is loaded and changed by itself.',
      severity: 'error',
      from: { path: '^ui/src/screens/([^/]+)/' },
      to: { path: '^ui/src/(screens|shell)/', pathNot: '^ui/src/screens/$1/' },
    },
    {
      name: 'no-circles',
      comment: 'Files in a circle can only be understood, tested and loaded together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-barrels',
      comment: 'An index.ts hides where things live and is how large import circles are made.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '(^|/)index[.]ts$' },
    },
    {
      name: 'modules-wire-modules',
      comment: 'Only wiring knows wiring: a module is imported by modules, and by the top floor.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '([.]module[.]ts$)|([.]spec[.]ts$)|(^src/(cli|sample)/)' },
      to: { path: '^src/.*[.]module[.]ts$' },
    },
    {
      name: 'kernel-names-no-driver',
      comment: 'The kernel sends SQL through a port; drivers and HTTP belong to platform/.',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: spec },
      to: { path: packages(drivers) },
    },
    {
      name: 'parsers-in-their-rooms',
      comment:
        'Hostile documents are parsed in documents/ and formats/<format>/, off the main thread or within narrow limits. (A gateway’s configuration is written, not read.)',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '(^src/(documents|formats/[^/]+)/)|(^src/gateways/mcp-router[.]ts$)|([.]spec[.]ts$)',
      },
      to: { path: packages(parsers) },
    },
    {
      name: 'read-side-without-write-side',
      comment: 'A read model depends on events alone; a rule it wants belongs into event or projection.',
      severity: 'error',
      from: { path: '([.](queries|row|projection)[.]ts$)|(^src/effective-catalog/)', pathNot: spec },
      to: {
        path: '[.](commands|decider|planner|controller)[.]ts$',
        pathNot: '^src/effective-catalog/.*[.]controller[.]ts$',
      },
    },
    {
      name: 'catalog-of-views-alone',
      comment: 'An agent’s catalog is made of views and pure rules: it has no use for what other slices do.',
      severity: 'error',
      from: { path: '^src/effective-catalog/', pathNot: spec },
      to: { path: '^src/[^/]+/public[.]ts$' },
    },
    {
      name: 'controllers-without-tables',
      comment: 'A controller makes a command or a query of a request; tables are for others.',
      severity: 'error',
      from: { path: '[.]controller[.]ts$' },
      to: { path: `([.]row[.]ts$)|${packages(['pg'])}` },
    },
    {
      name: 'pure-files-import-types-only',
      comment: 'Pure unless its suffix says otherwise: its values come from pure files and kernel errors.',
      severity: 'error',
      from: { path: pure },
      to: { path: '^src/', pathNot: `(${pure})|(${pureGround})`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-files-touch-no-machine',
      comment: 'Of Node, pure files use hashing and paths at most: no file, no network, no thread.',
      severity: 'error',
      from: { path: pure },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|path|util)$' },
    },
    {
      name: 'pure-files-know-no-framework',
      comment: 'Rules outlive frameworks: Nest and drivers stay in files whose suffix names a role.',
      severity: 'error',
      from: { path: pure },
      to: { path: packages(['@nestjs/[^/]+', 'rxjs', ...drivers]) },
    },
    {
      name: 'no-development-packages',
      comment: 'It must be there after npm ci --omit=dev. (Threads that tests start are set up in .mjs.)',
      severity: 'error',
      from: { path: '^src/', pathNot: `${spec}|[.]mjs$` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere fails at start.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css', '.svg'],
    },
  },
};
