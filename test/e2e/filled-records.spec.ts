import { randomUUID } from 'node:crypto';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { asRead } from './approving.js';
import { eachOwnServer } from './own-server.js';

/** How many bytes of rows a byte that was sent may make, in all tables, their histories, the log and the search together. */
const BYTES = 24;
/** Rows and bytes that a write makes whatever was sent. */
const BASE = { rows: 60, bytes: 40_000 };

interface Written {
  readonly rows: number;
  readonly bytes: number;
}

const texts = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, at) => `${String(at)} `.padEnd(length, 'word '));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
/** Lists in lists, as many as a schema may hold, which are what comparisons take longest for. */
const lists = Array.from({ length: 4_990 }, (_, at) => [[at]]);
const filledSchema = (name: string): object => ({
  type: 'object',
  properties: {
    [name]: { type: 'array', default: lists, description: 'Its items.' },
    number: { enum: numbers(10_000), description: 'One of them.' },
  },
});
const service = { serviceId: 'accounts', envTag: 'dev' };

eachOwnServer((server) => {
  /** What a write has made: rows that are of a later transaction than all before. */
  const writtenBy = async (work: () => Promise<unknown>): Promise<Written> => {
    const { asOwner } = server().app.get<Database>(DATABASE);
    const [before] = await asOwner.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
    await work();
    const tables = await asOwner.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind = 'r' AND n.nspname IN ('catalog', 'public')`,
    );
    const counts = tables.map(
      ({ name }) => `SELECT count(*) AS rows, coalesce(sum(octet_length(t::text)), 0) AS bytes FROM ${name} t
                       WHERE t.xmin::text::bigint > $1::bigint`,
    );
    const [written] = await asOwner.query<Written>(
      `SELECT sum(rows)::integer AS rows, sum(bytes)::bigint::double precision AS bytes FROM (${counts.join(' UNION ALL ')}) each`,
      [before?.xid],
    );
    return written ?? { rows: 0, bytes: 0 };
  };

  /**
   * Sends a write and counts what it makes, the documents of the search included.
   *
   * @param held bytes of what is written again beside what is sent, as the rest of a record that is changed
   */
  const send = async (method: string, path: string, body: object = {}, held = 0): Promise<string> => {
    let id: unknown;
    const written = await writtenBy(async () => {
      const answer = await server().api<{ id?: string }>(method, path, { body });
      expect({ path, status: answer.status, said: answer.text.slice(0, 500) }).toEqual({
        ...{ path, status: answer.status < 300 ? answer.status : 200 },
        said: answer.status < 300 ? answer.text.slice(0, 500) : '',
      });
      id = answer.body.id;
      await server().settled();
    });
    const size = JSON.stringify(body).length + held;
    const most = { rows: BASE.rows + size / 100, bytes: BASE.bytes + BYTES * size };
    expect({ path, tooMany: written.rows > most.rows && written }).toEqual({ path, tooMany: false });
    expect({ path, tooMuch: written.bytes > most.bytes && written }).toEqual({ path, tooMuch: false });
    return String(id);
  };

  it('a tool whose schemas are full, and each later write of it', async () => {
    const schemas = { inputSchema: filledSchema('a'), responseSchema: filledSchema('b') };
    const tool = { description: 'x'.repeat(8000), implementationType: 'python', ...schemas };
    const held = JSON.stringify(tool).length;
    const id = await send('POST', '/tools', {
      ...tool,
      name: 'filled',
      scriptContent: '#'.repeat(262_144),
    });
    await send('POST', '/tools/examples', { items: [{ toolId: id, prompts: texts(200, 500) }] }, held);
    await send('PATCH', `/tools/${id}`, { routing: { domain: 'accounts' } }, held);
    const { responseSchema: outputSchema, inputSchema } = schemas;
    const evalConfig = { prompts: texts(30, 4000).map((prompt) => ({ prompt })) };
    const version = {
      version: '1.1.0',
      description: 'y'.repeat(4000),
      inputSchema,
      outputSchema,
      evalConfig,
    };
    await send('POST', `/tools/${id}/versions`, version, held);
    await send('POST', `/tools/${id}/versions/1.1.0/submit`, {}, held);
    const approve = `/tools/${id}/versions/1.1.0/approve`;
    const reason = 'r'.repeat(500);
    await send('POST', approve, await asRead(server(), approve, { override: { reason } }), held);
    await send(
      'POST',
      `/tools/${id}/versions/1.1.0/deprecate`,
      { on: '2099-01-01', message: 'm'.repeat(500) },
      held,
    );
    await send('POST', `/tools/${id}/deactivate`, {}, held);
    await send('POST', `/tools/${id}/activate`, {}, held);
  });

  it('a spec as long as it may be', async () => {
    const parameters = Array.from({ length: 200 }, (_, at) => ({
      ...{ name: `p${String(at)}`, type: 'integer', description: 'd'.repeat(200), enum: numbers(40) },
    }));
    const spec = {
      version: '1.0.0',
      name: 'pushed',
      description: 'z'.repeat(4000),
      inputSchema: { parameters },
    };
    await send('POST', '/tools/specs', { specText: JSON.stringify(spec) });
  });

  it('documents with full schemas, the first and the next', async () => {
    const document = (summary: string) => ({
      ...{ openapi: '3.1.0', info: { title: 'Filled', version: '1' } },
      paths: Object.fromEntries(
        numbers(4).map((at) => {
          const schema = { type: 'array', items: {}, enum: lists, description: 'n'.repeat(1000) };
          const parameters = [{ name: 'x', in: 'query', schema }];
          return [
            `/r${String(at)}`,
            { get: { operationId: `r${String(at)}`, summary, parameters, responses: {} } },
          ];
        }),
      ),
    });
    const version = { apiVersion: '1', ...service };
    const body = { api: { apiId: 'filled' }, version, publish: true };
    await send('POST', '/imports', { ...body, document: document('Reads.') });
    await send('POST', '/imports', { ...body, document: document('Reads it.') });
  });

  it('skills and what hangs on them', async () => {
    const skill = (name: string) => ({
      name,
      description: 'd'.repeat(4000),
      contentMarkdown: 'word '.repeat(52_000),
    });
    const [id, other] = [
      await send('POST', '/skills', skill('a')),
      await send('POST', '/skills', skill('b')),
    ];
    const held = JSON.stringify(skill('')).length;
    await send('PATCH', `/skills/${id}`, { description: 'e'.repeat(4000) }, held);
    await send('PUT', `/skills/${id}/dependencies/${other}`, { required: true }, 2 * held);
    const tool = { description: 'x', implementationType: 'python', inputSchema: { type: 'object' } };
    const toolId = await send('POST', '/tools', { ...tool, name: 'linked', scriptContent: 'pass' });
    await send('PUT', `/skills/${id}/tools/${toolId}`, {
      accessLevel: 'read',
      config: { notes: 'n'.repeat(4000) },
    });
    const categoryIds: string[] = [];
    for (const at of numbers(5)) {
      const categoryName = `c${String(at)}`.padEnd(126, 'x');
      categoryIds.push(await send('POST', '/categories', { entityType: 'skill', categoryName }));
    }
    await send('PUT', `/skills/${id}/taxonomy`, { categoryIds, tagIds: [] }, held);
    const folder = numbers(12).map((at) => ({
      path: `f${String(at)}.md`,
      content: 'words '.repeat(5_000),
    }));
    const first = { path: 'SKILL.md', content: '---\nname: folder\ndescription: d\n---\nx\n' };
    await send('POST', '/skills/import', { files: [first, ...folder] });
    const head =
      'document:\n  dsl: 1.0.3\n  namespace: a\n  name: w\n  version: 1.0.0\ndo:\n  - wait:\n      wait: PT1S\n';
    const definition = head + `# ${'c'.repeat(97)}\n`.repeat(1_300);
    await send('POST', '/workflows', { namespace: 'a', name: 'w', version: '1.0.0', definition });
  });

  it('agents, gateways, and what else is kept of a host', async () => {
    const [gatewayId, webhookId] = [randomUUID(), randomUUID()];
    await send('POST', '/apis', { apiId: 'agents', apiName: 'a'.repeat(126) });
    const version = { apiVersion: '1', apiType: 'agent', ...service, apiVersionDesc: 'd'.repeat(4000) };
    const agent = await send('POST', '/apis/agents/versions', version);
    const names = texts(100, 120).map((text) => text.trim());
    await send('PUT', `/agents/${agent}`, { personas: names, domains: names, semanticNamespaces: names });
    await send('PUT', `/gateways/${gatewayId}`, {
      ...service,
      url: `https://g.example/${'p'.repeat(1900)}`,
    });
    await send('PUT', `/webhooks/${webhookId}`, {
      url: `https://w.example/${'p'.repeat(1900)}`,
      secret: 'hook',
    });
    await send('PUT', '/settings', { commandTools: true });
    const rows = texts(5_000, 100).map((prompt) => ({ prompt, expect: ['filled'] }));
    await send('PUT', '/evaluation-sets/full', { rows });
  });
});
