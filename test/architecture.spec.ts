import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { floors } from '../.dependency-cruiser.mjs';
import { slices } from '../src/app.module.js';
import { Command } from '../src/kernel/command.js';
import { Domain } from '../src/kernel/domain.js';
import { searchDocumentsFollower } from '../src/search/documents/search-documents.follower.js';
import { sampleOf } from './schema-sample.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesUnder = (folder: string, end: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith(end) && !file.endsWith('.spec.ts'));

const domain = new Domain(slices);
const eventTypes = slices.flatMap(({ name, events }) => events.map((event) => ({ ...event, slice: name })));
const aggregates = slices.flatMap((slice) => slice.aggregates);
const typeName = ({ type }: { readonly type: string }): string => type;

describe('every folder of src', () => {
  const top = ['cli', 'development-gateway', 'sample'];

  it('has its floor', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => name).sort()).toEqual([...floors, ...top].sort());
  });
});

describe('the line between authors and administrators', () => {
  /** What reads more: the past, what is withheld, SQL. */
  const reads = [
    'src/diagnostics/overview.lookup.ts',
    'src/effective-catalog/effective-catalog.queries.ts',
    'src/effective-catalog/effective-catalogs.lookup.ts',
    'src/graph/graph.lookup.ts',
    'src/search/evaluation/evaluated-catalogs.service.ts',
  ];

  it('is drawn in one place: writes that make less guarded ask it', () => {
    const asking = filesUnder('src', '.ts').filter((file) =>
      /(?:requireScope|satisfies)\([^)]*'catalog:admin'\)/.test(read(file)),
    );
    expect(asking.sort()).toEqual([...reads, 'src/platform/auth/claims.ts'].sort());
  });
});

describe('what slices share', () => {
  const files = filesUnder('src', '.ts').map((file) => ({ file, text: read(file) }));
  const importsOf = (
    text: string,
    of: RegExp,
  ): { readonly names: readonly string[]; readonly from: string }[] =>
    [...text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '([^']+)'/g)]
      .map(([, names = '', from = '']) => ({ names: names.split(',').map(bareName).filter(Boolean), from }))
      .filter(({ from }) => of.test(from));

  /** Of a slice’s list: which file a name comes from. */
  const sourceOf = (list: string, name: string): string | undefined =>
    importsOf(read(list), /^\.\//).find(({ names }) => names.includes(name))?.from;

  it('has a taker for every name', () => {
    const lists = files.filter(({ file }) => /^src\/[^/]+\/(?:public|shared)\.ts$/.test(file));
    expect(lists.length).toBeGreaterThan(10);
    const taken = new Set(
      files.flatMap(({ file, text }) =>
        importsOf(text, /^\..*\/(?:public|shared)\.js$/).flatMap(({ names, from }) =>
          names.map((name) => `${join(dirname(file), from).replace(/\.js$/, '.ts')} ${name}`),
        ),
      ),
    );
    const offered = lists.flatMap(({ file, text }) =>
      importsOf(text, /^\.\//).flatMap(({ names }) => names.map((name) => `${file} ${name}`)),
    );
    expect(offered.filter((name) => !taken.has(name))).toEqual([]);
  });

  it('reads take of it what reads', () => {
    const readSide = files.filter(({ file }) => /\.(?:queries|row|projection)\.ts$/.test(file));
    const sources = readSide.flatMap(({ file, text }) =>
      importsOf(text.replace(/^import type .*$/gm, ''), /^\.\.\/.*\/public\.js$/).flatMap(({ names, from }) =>
        names.map((name) => sourceOf(join(dirname(file), from).replace(/\.js$/, '.ts'), name) ?? `? ${name}`),
      ),
    );
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((source) => !source.endsWith('.lookup.js'))).toEqual([]);
  });
});

describe('the walls between hosts', () => {
  /** Who looks after many hosts at once, and who works on tables rather than rows (decision on tenant walls). */
  const beyond = {
    acrossHosts: [
      'src/endpoints/endpoint/unread-endpoints.service.ts',
      'src/gateways/drift/gateway-checks.service.ts',
      'src/kernel/follower-runner.ts',
      'src/kernel/generation.ts',
      'src/kernel/heads.ts',
      'src/kernel/log-verifier.ts',
      'src/kernel/rebuild.ts',
      'src/platform/idempotency/kept-replies.ts',
      'src/platform/sessions/session-rows.ts',
      'src/sample/sample-data.ts',
      'src/search/embeddings/embedding.worker.ts',
      'src/tools/version/overdue-versions.service.ts',
      'src/webhooks/webhook-sender.service.ts',
    ],
    asOwner: [
      'src/kernel/generation.ts',
      'src/kernel/migrations.ts',
      'src/kernel/rebuild.ts',
      'src/kernel/table-statistics.ts',
      'src/platform/idempotency/idempotency.ts',
      'src/platform/metrics/monitoring.controller.ts',
    ],
  };

  it('who is given the database says whose rows are meant', () => {
    const given = filesUnder('src', '.ts').flatMap(
      (file) => read(file).match(/@Inject\(DATABASE\)[^,)]*/g) ?? [],
    );
    expect(given.length).toBeGreaterThan(30);
    expect(given.filter((parameter) => !/: (Open)?Database$/.test(parameter.trim()))).toEqual([]);
  });

  /** Asked of a database, or taken out of one. */
  const uses = (way: string, text: string): boolean =>
    new RegExp(`\\.${way}\\b|\\{[^{}]*\\b${way}\\b[^{}]*\\}\\s*[=:]`).test(text);

  it.each(Object.entries(beyond))('%s is used by those that are listed', (way, files) => {
    const users = filesUnder('src', '.ts').filter((file) => uses(way, read(file)));
    expect(users.sort()).toEqual(files);
  });

  it.each([
    'database.acrossHosts.query(sql)',
    'const { of, acrossHosts } = tx',
    '({ acrossHosts }: Ways<Sql>) =>',
  ])('are gone beyond by %s', (text) => {
    expect(uses('acrossHosts', text)).toBe(true);
    expect(uses('asOwner', text)).toBe(false);
  });
});

describe('every command class', () => {
  const declared = aggregates.flatMap(({ commands }) => commands);

  it('has one decider', async () => {
    const files = filesUnder('src', '.ts').filter((file) =>
      /^export class \w+ extends Command\b/m.test(read(file)),
    );
    const modules = await Promise.all(
      files.map((file) => import(pathToFileURL(join(root, file)).href) as Promise<object>),
    );
    const classes = modules.flatMap((module): unknown[] => Object.values(module)).filter(isCommandClass);
    expect(classes.length).toBeGreaterThan(10);
    const names = classes.map(({ name }) => name);
    expect(declared.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(new Set(names).size).toBe(names.length);
    // The kernel refuses a second decider for one command, or one aggregate.
    expect(() => new Domain([...slices, { name: 'again', events: [], projections: [], aggregates }])).toThrow(
      'declared twice',
    );
  });

  it('names the aggregate of its decider', () => {
    for (const { decider, commands } of aggregates) {
      for (const command of commands) {
        const made = Reflect.construct(command, ['host', 'id', {}]) as Command;
        expect([command.name, made.aggregateType]).toEqual([command.name, decider.aggregateType]);
      }
    }
  });
});

describe('every event type', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }));

  it.each(eventTypes)('$type has a schema that compiles, a known aggregate, and past tense', (event) => {
    expect(() => ajv.compile(event.schema as object)).not.toThrow();
    expect(event.type).toMatch(/^[A-Z][A-Za-z]+e[dn]Event$/);
    expect(aggregates.map(({ decider }) => decider.aggregateType)).toContain(event.aggregateType);
    expect(event.version).toBeGreaterThanOrEqual(1);
    for (let version = 1; version < event.version; version += 1)
      expect(event.upcasters?.[version]).toBeDefined();
  });

  it.each(eventTypes)(
    '$type has a branch of evolve, which never throws',
    ({ type, aggregateType, schema }) => {
      const decider = aggregates
        .map((each) => each.decider)
        .find((each) => each.aggregateType === aggregateType);
      if (decider === undefined) throw new Error(`${type} belongs to no aggregate.`);
      const happen = (state: unknown, event: (typeof eventTypes)[number], variant: number): unknown =>
        decider.evolve(state, { type: event.type, data: sampleOf(event.schema, variant) as object });
      const siblings = eventTypes.filter((event) => event.aggregateType === aggregateType);
      const first = [decider.initial, ...siblings.map((event) => happen(decider.initial, event, 1))];
      const states = [
        ...first,
        ...first.flatMap((state) => siblings.map((event) => happen(state, event, 2))),
      ];
      // Events about a part of a record name one that is there, or another.
      const changed = states.filter((state) =>
        [2, 3].some((variant) => {
          const next = decider.evolve(state, { type, data: sampleOf(schema, variant) as object });
          return JSON.stringify(next) !== JSON.stringify(state);
        }),
      );
      expect(changed.length).toBeGreaterThan(0);
    },
  );

  it('reaches a table', () => {
    const handled = new Set(domain.projections.flatMap(({ handles }) => handles));
    expect(eventTypes.map(typeName).filter((type) => !handled.has(type))).toEqual([]);
  });
});

describe('every table', () => {
  /** Neither truth nor projection: how long a row lives. */
  const operational = {
    host_head_t: 'as long as the host',
    checkpoint_t: 'as long as the follower; made again from position 0',
    idempotency_key_t: 'a day at least, then swept',
    webhook_delivery_t: 'until it has arrived; given up, 30 days',
    gateway_check_t: 'as long as the gateway is checked by itself',
    evaluation_set_t: 'until it is replaced',
    evaluation_t: 'as long as the host',
    session_t: 'until the session ends, then swept',
    schema_migration_t: 'as long as the database',
  };
  const truth = ['event_store_t'];
  /** Made again from the rows, or by a provider; or left out, where reading takes longer. */
  const derived = [
    'search_document_t',
    'search_term_t',
    'search_change_t',
    'search_embedding_t',
    'search_model_t',
    'event_part_t',
  ];
  const tablesOf = (set: string): string[] =>
    filesUnder(`migrations/${set}`, '.sql').flatMap((file) =>
      [...read(file).matchAll(/create\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?([\w.]+)/gi)].map(
        ([, name]) => name ?? '',
      ),
    );
  /** Each once: a new column has its history made anew. */
  const historiesOf = (set: string): string[] => [
    ...new Set(
      filesUnder(`migrations/${set}`, '.sql').flatMap((file) =>
        [...read(file).matchAll(/keep_history\('(\w+)_t'/g)].map(([, name]) => `${name ?? ''}_history_t`),
      ),
    ),
  ];
  const projections = domain.projections.flatMap(({ tables }) => tables);

  it('is truth, projection, derived or operational, and only one of them', () => {
    const ground = [...tablesOf('ground'), 'schema_migration_t'];
    expect(ground.sort()).toEqual([...truth, ...derived, ...Object.keys(operational)].sort());
    expect([...tablesOf('catalog'), ...historiesOf('catalog')].sort()).toEqual([...projections].sort());
  });

  it('of a projection leads with the host in its keys and unique indexes', () => {
    for (const file of filesUnder('migrations', '.sql').filter((name) => !name.endsWith('event_store.sql'))) {
      const keys = [...read(file).matchAll(/(?:PRIMARY KEY|UNIQUE INDEX \w+ ON \w+|UNIQUE)\s*\((\w+)/g)];
      expect([file, keys.filter(([, first]) => first !== 'host_id')]).toEqual([file, []]);
    }
  });
});

it('what the search finds follows every event about it but those that change no word and no filter of it', () => {
  const about = ['Api', 'ApiVersion', 'ApiEndpoint', 'Tool', 'Skill', 'SkillDependency', 'Category', 'Tag'];
  const unheard = [
    ...['ApiCreatedEvent', 'ApiVersionCreatedEvent', 'CategoryCreatedEvent', 'TagCreatedEvent'],
    ...['ApiVersionSpecReplacedEvent', 'ApiEndpointChangesAcceptedEvent', 'ToolChangesAcceptedEvent'],
    // Not active yet.
    'SkillDraftedEvent',
    // Whether an operation fits its API is asked where a tool is given out.
    'ToolCallJudgedEvent',
    // The first approval and the end change what is found; what approves a later version is followed by a refresh.
    ...['Drafted', 'Submitted', 'Evaluated', 'Rejected', 'Deprecated', 'OverdueNoted'].map(
      (what) => `ToolVersion${what}Event`,
    ),
  ];
  const { handles } = searchDocumentsFollower(eventTypes, { model: 'm', dimension: 384, fields: [] });
  const concerned = eventTypes.filter(({ aggregateType }) => about.includes(aggregateType)).map(typeName);
  expect(concerned.filter((type) => !handles.includes(type)).sort()).toEqual(unheard.sort());
});

describe('SQL', () => {
  const sources = filesUnder('src', '.ts').map((file) => ({ file, text: read(file) }));

  const writesLog = (text: string): boolean =>
    /append_events\s*\(\s*\$|(insert\s+into|update|delete\s+from|truncate(\s+table)?)\s+event_store_t/i.test(
      text,
    );

  it('writes to the log only in the event store', () => {
    const writers = sources.filter(({ text }) => writesLog(text)).map(({ file }) => file);
    expect(writers).toEqual(['src/kernel/event-store.ts']);
  });

  it.each([
    [true, 'INSERT INTO event_store_t (id) VALUES ($1)'],
    [true, 'update event_store_t SET data = NULL'],
    [true, 'DELETE FROM\n  event_store_t'],
    [true, 'TRUNCATE TABLE event_store_t'],
    [true, 'SELECT append_events($1)'],
    [false, 'SELECT data FROM event_store_t'],
  ])('writes to the log: %s of %s', (writes, text) => {
    expect(writesLog(text)).toBe(writes);
  });

  /** Read by whoever waits for a position, and by who looks after the log. */
  const groundTables = ['host_head_t', 'event_store_t', 'checkpoint_t', 'schema_migration_t'];
  const folderOf = (file: string): string => file.split(sep)[1] ?? '';
  const touched = sources.flatMap(({ file, text }) =>
    [
      ...withoutComments(text).matchAll(
        /\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?(\w+_(?:t|read))\b/gi,
      ),
    ].map(([, name]) => ({
      folder: folderOf(file),
      name: name ?? '',
    })),
  );

  it('names a table in the slice alone that keeps it', () => {
    const folders = new Map<string, Set<string>>();
    for (const { folder, name } of touched)
      if (name.endsWith('_t') && !groundTables.includes(name))
        folders.set(name, (folders.get(name) ?? new Set()).add(folder));
    expect(folders.size).toBeGreaterThan(20);
    expect([...folders].filter(([, { size }]) => size > 1)).toEqual([]);
    for (const { name, projections } of slices)
      for (const table of projections.flatMap(({ tables }) => tables))
        expect([table, ...(folders.get(table) ?? [name])]).toEqual([table, name]);
  });

  it('reads of another slice the views that it declares, and of those below alone', () => {
    const declared = new Map(slices.flatMap(({ name, views = [] }) => views.map((view) => [view, name])));
    const made = filesUnder('migrations', '.sql').flatMap((file) =>
      [...read(file).matchAll(/VIEW (\w+_read)\b/g)].map(([, view]) => view ?? ''),
    );
    expect([...declared.keys()].sort()).toEqual([...new Set(made)].sort());
    const readings = touched.filter(({ name }) => name.endsWith('_read'));
    expect(readings.length).toBeGreaterThan(50);
    const floorOf = (folder: string): number => {
      const floor = floors.indexOf(folder);
      return floor < 0 ? floors.length : floor;
    };
    const wrong = readings.filter(({ folder, name }) => floorOf(declared.get(name) ?? '') > floorOf(folder));
    expect(wrong).toEqual([]);
  });

  it('names no schema, so that a rebuild can switch it', () => {
    const named = /\b(from|join|into|update)\s+(catalog|public)\.\w/i;
    const outside = sources.filter(({ file }) => !file.startsWith('src/kernel/'));
    expect(outside.filter(({ text }) => named.test(text)).map(({ file }) => basename(file))).toEqual([]);
  });
});

/** `type A as B`, as it is called where it comes from. */
function bareName(part: string): string {
  return (
    part
      .trim()
      .replace(/^type /, '')
      .split(' as ')[0] ?? ''
  ).trim();
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

function isCommandClass(value: unknown): value is typeof Command {
  return typeof value === 'function' && value.prototype instanceof Command;
}
