import { readFile } from 'node:fs/promises';
import { v7 } from 'uuid';
import { makeCatalog } from '../src/effective-catalog/effective-catalog.queries.js';
import { differences, fieldsOf, gradingOf } from '../src/endpoints/shared.js';
import type { EndpointFacts } from '../src/formats/shared.js';
import { readImport } from '../src/importers/read-import.worker.js';
import { openDatabase, type OpenDatabase } from '../src/platform/database/open-database.js';
import { alternately, median, milliseconds, progress, report } from './harness.js';
import { asking, startService, withDatabase, type Ask } from './programs.js';
import { makeScaleHost, registered, type ScaleHost } from './scale-world.js';

const tools = 100_000;
const turns = 20;
/** Two descriptions of one API: each has operations that the other lacks, and many that differ. */
const [cloud, enterprise] = ['api.github.com', 'ghec'].map(
  (name) => `node_modules/@octokit/openapi/generated/${name}.json`,
) as [string, string];

/**
 * What a version of one tool among 100,000 takes from draft to approval, beside a change of text that is approved as it comes;
 * a change of a tool that was changed often before, beside one that was not; a push of one whose drafts were written often; a catalog whose links keep to versions before the newest, beside one whose links take it; and grading the operations
 * that two descriptions of GitHub share, beside reading one of them.
 */
export async function benchToolVersions(url?: string): Promise<void> {
  await benchGrading();
  if (url === undefined) {
    progress('tool-versions: the rest is left out, it needs DATABASE_URL');
    return;
  }
  await withDatabase(url, async (own) => {
    const service = await startService(own);
    const database = await openDatabase({ url: own, directory: '' });
    const hostId = v7();
    const askingOf = async (host: string): Promise<Ask> =>
      asking(service.address, host, await service.token(host));
    const ask = await askingOf(hostId);
    const approving = asking(
      service.address,
      hostId,
      await service.token(hostId, { sub: 'reviewer', scope: 'catalog:approve catalog:all-services' }),
    );
    try {
      await benchManyVersions(await askingOf(v7()));
      await benchManyDrafts(await askingOf(v7()));
      progress(`tool-versions: ${String(tools)} tools`);
      const host = await makeScaleHost(database, hostId, ask, { tools, toolsEach: 50, skillsEach: 20 });
      await benchPublishing(host, ask, approving);
      await benchRanges(database, host);
    } finally {
      await database.close();
      await service.stop();
    }
  });
}

async function benchPublishing({ toolId }: ScaleHost, ask: Ask, approving: Ask): Promise<void> {
  let count = 0;
  const { inputSchema } = await ask<{ inputSchema: object }>('GET', `/tools/${toolId}`);
  const version = async (): Promise<void> => {
    count += 1;
    const number = `1.${String(count)}.0`;
    const path = `/tools/${toolId}/versions`;
    const description = `Finds one thing by its number, and says how it is. Edition ${String(count)}.`;
    await ask('POST', path, { version: number, description, inputSchema });
    await ask('POST', `${path}/${number}/submit`);
    const { digest } = await ask<{ digest: string }>('GET', `${path}/${number}`);
    await approving('POST', `${path}/${number}/approve`, { digest, override: { reason: 'A bench.' } });
  };
  const change = (): Promise<unknown> => {
    count += 1;
    return ask('PATCH', `/tools/${toolId}`, { description: `Finds one thing. Edition ${String(count)}.` });
  };
  const bench = `a version of one tool among ${String(tools)}: drafted, submitted and approved`;
  const measured = await alternately(
    turns,
    () => milliseconds(version),
    () => milliseconds(change),
  );
  report({ bench, unit: 'ms', ...measured });
}

const written = 40;

/** Of a large tool that was changed often before, and of one as large that was not. */
async function benchManyVersions(ask: Ask): Promise<void> {
  progress(`tool-versions: ${String(written)} versions of a large tool`);
  const described = (count: number) => ({ type: 'string', description: 'x'.repeat(1_000) + String(count) });
  const large = (count: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`name${String(at)}`, described(count)]),
    ),
  });
  const made = async (name: string): Promise<string> => {
    const body = { name, implementationType: 'python', description: 'Does it.', inputSchema: large(0) };
    return (await ask<{ id: string }>('POST', '/tools', body)).id;
  };
  const [often, seldom] = [await made('changed_often'), await made('changed_seldom')];
  for (let count = 1; count <= written; count += 1)
    await ask('PATCH', `/tools/${often}`, { inputSchema: large(count) });
  let edition = 0;
  const change = (toolId: string) => (): Promise<number> => {
    edition += 1;
    const body = { description: `Does it. Edition ${String(edition)}.` };
    return milliseconds(() => ask('PATCH', `/tools/${toolId}`, body));
  };
  await change(seldom)();
  const measured = await alternately(turns, change(often), change(seldom));
  const bench = `a change of a tool of 200 kB after ${String(written)} others, beside one without them`;
  report({ bench, unit: 'ms', ...measured });
}

/** Numbers of drafts, and how often each was written. */
const [numbers, times] = [8, 50];

/** A push of a tool whose drafts were written often before, and of one whose drafts were written once. */
async function benchManyDrafts(ask: Ask): Promise<void> {
  progress(`tool-versions: ${String(numbers * times)} pushes of one tool`);
  let count = 0;
  const push = (name: string, number: number): Promise<unknown> => {
    count += 1;
    const properties = Array.from(
      { length: 100 },
      (_, at) => `    p${String(at)}: { type: string, description: ${'x'.repeat(80)} }`,
    );
    const head = [
      `name: ${name}`,
      `version: 1.${String(number)}.0`,
      `description: Does it. Edition ${String(count)}.`,
    ];
    const specText = [...head, 'inputSchema:', '  type: object', '  properties:', ...properties, ''].join(
      '\n',
    );
    return ask('POST', '/tools/specs', { specText });
  };
  for (let number = 0; number < numbers; number += 1) {
    await push('written_once', number);
    for (let time = 0; time < times; time += 1) await push('written_often', number);
  }
  const one = (name: string) => (): Promise<number> => milliseconds(() => push(name, 0));
  const measured = await alternately(turns, one('written_often'), one('written_once'));
  const bench = `a push of a spec of 11 kB after ${String(numbers * times)} others of its tool, beside one after ${String(numbers)}`;
  report({ bench, unit: 'ms', ...measured });
}

/** First with links that all take the newest version; then each tool has a newer one that no link takes. */
async function benchRanges(database: OpenDatabase, host: ScaleHost): Promise<void> {
  const { hostId, agentDefIds, inCatalog } = host;
  const read = async (): Promise<number> => {
    const taken: number[] = [];
    for (const agentDefId of agentDefIds.slice(0, turns)) {
      const question = {
        ...{ hostId, agentDefId, services: [registered.serviceId], environments: [registered.envTag] },
        ...{ withheld: false, examples: false },
      };
      taken.push(await milliseconds(() => makeCatalog(database.of(hostId), question)));
    }
    return median(taken);
  };
  await read();
  const baseline = await read();
  await database.asOwner.query(`UPDATE tool_t SET version = '2.0.0' WHERE host_id = $1`, [hostId]);
  await database.asOwner.query(
    `UPDATE skill_tool_t SET range = '^1', range_from = '1.0.0', range_before = '2.0.0' WHERE host_id = $1`,
    [hostId],
  );
  await database.asOwner.query('VACUUM ANALYZE');
  await read();
  const bench = `catalog of ${String(inCatalog)} of ${String(tools)} tools, each kept to a version before the newest`;
  report({ bench, figure: await read(), unit: 'ms', baseline });
}

async function benchGrading(): Promise<void> {
  const [before, after] = [await operationsOf(cloud), await operationsOf(enterprise)];
  const shared = [...before].flatMap(([name, facts]) => {
    const other = after.get(name);
    return other === undefined ? [] : [[fieldsOf(facts), fieldsOf(other)] as const];
  });
  const grading = (): void => {
    for (const [was, is] of shared) gradingOf(was, is, differences(was, is));
  };
  const measured = await alternately(
    5,
    () => milliseconds(grading),
    () => milliseconds(() => operationsOf(cloud)),
  );
  const bench = `grading the ${String(shared.length)} operations that two descriptions of GitHub share`;
  report({ bench, unit: 'ms', ...measured });
}

async function operationsOf(file: string): Promise<ReadonlyMap<string, EndpointFacts>> {
  const { document } = await readImport({
    body: await readFile(file),
    mediaType: 'application/json',
    holds: 'document?',
  });
  if (document === undefined) throw new Error(`${file} can't be read.`);
  return new Map(
    document.offers.map((offer) => [offer.endpoint, JSON.parse(offer.facts) as EndpointFacts] as const),
  );
}
