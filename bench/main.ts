import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openDatabase,
  type DatabaseSettings,
  type OpenDatabase,
} from '../src/platform/database/open-database.js';
import { benchAgentClient } from './agent-client.js';
import { benchAppend } from './append.js';
import { benchCatalogScale } from './catalog-scale.js';
import { benchCreateSkill } from './create-skill.js';
import { benchEffectiveCatalog } from './effective-catalog.js';
import { progress, report } from './harness.js';
import { withDatabase } from './programs.js';
import { benchImport } from './import.js';
import { benchPortal } from './portal.js';
import { benchImportCorpus } from './import-corpus.js';
import { benchRetrieval } from './retrieval.js';
import { benchSearch } from './search.js';
import { benchSearchService } from './search-service.js';
import { madeUpTexts, textsOfSets } from './search-texts.js';
import { benchStreams } from './streams.js';
import { benchQueries } from './queries.js';
import { benchToolVersions } from './tool-versions.js';
import { benchTokens } from './tokens.js';
import { benchRebuild } from './rebuild.js';

/** `npm run bench [name …]`: on the PostgreSQL of DATABASE_URL, or on the embedded database where there is none. */
const benches: Readonly<Record<string, (url: string | undefined) => Promise<void>>> = {
  'effective-catalog': benchEffectiveCatalog,
  'agent-client': benchAgentClient,
  'catalog-scale': benchCatalogScale,
  streams: benchStreams,
  append,
  'create-skill': benchCreateSkill,
  import: benchImport,
  'import-corpus': benchImportCorpus,
  rebuild,
  search,
  'search-service': benchSearchService,
  queries,
  tokens: benchTokens,
  'tool-versions': benchToolVersions,
  ui: benchPortal,
  retrieval: () => benchRetrieval(process.env['RETRIEVAL'] || undefined),
};

async function append(url: string | undefined): Promise<void> {
  if (url === undefined) {
    progress('append: left out, it needs DATABASE_URL');
    return;
  }
  for (const figure of await benchAppend(url)) report({ ...figure, unit: 'writes/s' });
}

async function rebuild(url: string | undefined): Promise<void> {
  if (url !== undefined) {
    await withDatabase(url, (own) => rebuildOn({ url: own, directory: '' }, 50_000));
    return;
  }
  const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-bench-'));
  await rebuildOn({ directory }, 10_000).finally(() => rm(directory, { recursive: true, force: true }));
}

/** Tools: SEARCH_SIZES says how many, comma-separated; those of the sets in RETRIEVAL, or else made-up ones. */
async function search(url: string | undefined): Promise<void> {
  const folder = process.env['RETRIEVAL'] || undefined;
  const texts = folder === undefined ? madeUpTexts : await textsOfSets(folder);
  const sizes = process.env['SEARCH_SIZES'] ?? (url === undefined ? '1000,10000' : '1000,10000,100000');
  await onOwnDatabase(url, (database) => benchSearch(database, sizes.split(',').map(Number), texts));
}

async function queries(url: string | undefined): Promise<void> {
  if (url === undefined) progress('queries: left out, it needs DATABASE_URL');
  else await onOwnDatabase(url, benchQueries);
}

async function onOwnDatabase(
  url: string | undefined,
  work: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const run = async (settings: DatabaseSettings): Promise<void> => {
    const database = await openDatabase({ ...settings, poolSize: 32 });
    await work(database).finally(() => database.close());
  };
  if (url !== undefined) {
    await withDatabase(url, (own) => run({ url: own, directory: '' }));
    return;
  }
  const directory = await mkdtemp(join(tmpdir(), 'portal-catalog-bench-'));
  await run({ directory }).finally(() => rm(directory, { recursive: true, force: true }));
}

async function rebuildOn(settings: DatabaseSettings, events: number): Promise<void> {
  const database = await openDatabase(settings);
  try {
    for (const figure of await benchRebuild(database, events)) report(figure);
  } finally {
    await database.close();
  }
}

const asked = process.argv.slice(2);
const names = asked.length === 0 ? Object.keys(benches) : asked;
const unknown = names.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  progress(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const name of names) {
    progress(name);
    await benches[name]?.(process.env['DATABASE_URL'] || undefined);
  }
}
