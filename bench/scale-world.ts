import type { Database } from '../src/kernel/sql.js';
import type { Ask } from './programs.js';

export const agents = 1000;

/** How much a host holds. */
export interface Scale {
  readonly tools: number;
  /** Of a skill. */
  readonly toolsEach: number;
  /** Of an agent. */
  readonly skillsEach: number;
}

/** A host whose first tool, skill and agent were made by requests, and all others as copies of their rows. */
export interface ScaleHost extends Scale {
  readonly hostId: string;
  /** The one that is there for real. */
  readonly toolId: string;
  readonly agentDefIds: readonly string[];
  /** Tools in the catalog of one agent. */
  readonly inCatalog: number;
}

export const registered = { serviceId: 'scale-agent', envTag: 'dev' };

/**
 * Fills a host with 1,000 agents. Where there are more skills than an agent has, one agent in 20 has the first.
 */
export async function makeScaleHost(
  database: Database,
  hostId: string,
  ask: Ask,
  scale: Scale,
): Promise<ScaleHost> {
  const toolId = await makeFirst(ask);
  const { tools, toolsEach, skillsEach } = scale;
  await database.asOwner.transaction(async (tx) => {
    for (const text of copies) await tx.query(text, [hostId, tools, toolsEach, skillsEach]);
  });
  // As a database in use has done: what was filled in is on the disk, too.
  await database.asOwner.query('VACUUM ANALYZE');
  await database.asOwner.query('CHECKPOINT');
  const made = await database.asOwner.query<{ id: string }>(
    'SELECT agent_def_id AS id FROM agent_definition_t WHERE host_id = $1',
    [hostId],
  );
  const inCatalog = Math.min(tools, skillsEach * toolsEach);
  return { ...scale, hostId, toolId, inCatalog, agentDefIds: made.map(({ id }) => id) };
}

/** The first tool, its skill, and the first agent, which has it; gives the tool's id. */
async function makeFirst(ask: Ask): Promise<string> {
  const version = { apiVersion: '1', serviceId: 'scale-api', envTag: 'dev' };
  await ask('POST', '/imports', { api: { apiId: 'things' }, version, document, publish: true });
  const { items } = await ask<{ items: { toolId: string }[] }>('GET', '/tools');
  const toolId = items[0]?.toolId ?? '';
  const contentMarkdown = `# Things\n\n${'Read before you write, and say what you did. '.repeat(10)}`;
  const { id: skillId } = await ask<{ id: string }>('POST', '/skills', { name: 'Skill', contentMarkdown });
  await ask('PUT', `/skills/${skillId}/tools/${toolId}`, {});
  await ask('POST', '/apis', { apiId: 'agent', apiName: 'Agent' });
  const agent = { apiVersion: '1', apiType: 'agent', ...registered };
  const { id: agentDefId } = await ask<{ id: string }>('POST', '/apis/agent/versions', agent);
  await ask('PUT', `/agents/${agentDefId}`, {});
  await ask('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId }] });
  return toolId;
}

const thingNo = { type: 'string', minLength: 1, maxLength: 40 };
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things/{thingNo}': {
      get: {
        operationId: 'getThing',
        description: 'Finds one thing by its number, with its state, its owner and its last readings.',
        parameters: [
          { name: 'thingNo', in: 'path', required: true, description: 'Its number.', schema: thingNo },
          { name: 'limit', in: 'query', description: 'Most readings.', schema: { type: 'integer' } },
        ],
        responses: {
          200: { description: 'It.', content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
  },
};

/** As the service makes them: an endpoint's id is drawn from its name, all others follow each other in time. */
const id = (kind: string, number = 'n'): string => {
  const drawn = `md5($1::text || '${kind}' || (${number}))`;
  return kind === 'endpoint'
    ? `${drawn}::uuid`
    : `(lpad(to_hex(${number}), 12, '0') || substr(${drawn}, 13))::uuid`;
};
/** Number 0 is the first. */
const skill = (number: string): string =>
  `CASE WHEN ${number} = 0 THEN first.skill_id ELSE ${id('skill', number)} END`;
const [tools, toolsEach, skillsEach, all] = ['$2::int', '$3::int', '$4::int', String(agents)];
const skills = `ceil(${tools}::numeric / ${toolsEach})::int`;

/** Rows like the first ones of a table, numbered from 1 to below `count`, other than them in what is `changed`. */
function copied(table: string, count: string, changed: string, which = 'true'): string {
  return `INSERT INTO ${table} SELECT made.* FROM ${table} first, generate_series(1, ${count} - 1) n,
    LATERAL jsonb_populate_record(first, jsonb_build_object(${changed})) made
    WHERE first.host_id = $1::uuid AND ${which} AND least($2::int, $3::int, $4::int) > 0`;
}

/** $1 host · $2 tools · $3 tools of a skill · $4 skills of an agent */
const copies: readonly string[] = [
  copied('api_endpoint_t', tools, `'endpoint_id', ${id('endpoint')}, 'endpoint', '/things-' || n || '@get'`),
  copied(
    'tool_t',
    tools,
    `'tool_id', ${id('tool')}, 'endpoint_id', ${id('endpoint')}, 'name', 'getThing' || n`,
  ),
  copied('tool_name_t', tools, `'tool_id', ${id('tool')}, 'name', 'getThing' || n`),
  copied('skill_t', skills, `'skill_id', ${id('skill')}, 'name', 'Skill ' || n`),
  copied('skill_tool_t', tools, `'tool_id', ${id('tool')}, 'skill_id', ${skill(`n / ${toolsEach}`)}`),
  copied('api_t', all, `'api_id', 'agent-' || n`, `first.api_id = 'agent'`),
  copied(
    'api_version_t',
    all,
    `'api_version_id', ${id('agent')}, 'api_id', 'agent-' || n`,
    `first.api_id = 'agent'`,
  ),
  copied('agent_definition_t', all, `'agent_def_id', ${id('agent')}`),
  `INSERT INTO agent_skill_t
   SELECT made.* FROM agent_skill_t first, generate_series(0, ${all} - 1) n,
     generate_series(0, least(${skills}, ${skillsEach}) - 1) k,
     LATERAL (SELECT CASE WHEN ${skills} <= ${skillsEach} OR (k = 0 AND n % 20 = 0) THEN k
                          ELSE 1 + (n * ${skillsEach} + k) % (${skills} - 1) END AS number) s,
     LATERAL jsonb_populate_record(first, jsonb_build_object(
       'agent_def_id', CASE WHEN n = 0 THEN first.agent_def_id ELSE ${id('agent')} END,
       'skill_id', ${skill('s.number')}, 'sequence_id', k)) made
   WHERE first.host_id = $1::uuid
   ON CONFLICT DO NOTHING`,
];
