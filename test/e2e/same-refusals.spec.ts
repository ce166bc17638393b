import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachServer } from './server.js';

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
type Ids = Readonly<Record<'agentDefId' | 'skillId' | 'toolId', string>>;

// Made here, so that no scanner of this repository takes it for a leak.
const secret = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
/** Not to be seen. */
const hidden = 'finance\u202Eeugol';
const nowhere = '0198c0de-0000-7000-8000-00000000ffff';

/** What is sent of a write, and the code of its refusal; ids that are not said are those of what is there. */
interface Refused {
  readonly what: string;
  readonly code: string;
  readonly terms: object;
  readonly ids?: Partial<Ids>;
}

const assignments: readonly Refused[] = [
  { what: 'a secret', code: 'skill_contains_secret', terms: { config: { domains: ['finance', secret] } } },
  {
    what: 'what hides',
    code: 'skill_contains_unsafe_text',
    terms: { config: { semanticNamespaces: [hidden] } },
  },
  {
    what: 'a looser limit',
    code: 'insufficient_scope',
    terms: { config: { maxSensitivityTier: 'internal' } },
  },
  { what: 'no limit any more', code: 'insufficient_scope', terms: { config: {} } },
  { what: 'a skill that is not there', code: 'not_found', terms: {}, ids: { skillId: nowhere } },
  { what: 'an agent that is not there', code: 'not_found', terms: {}, ids: { agentDefId: nowhere } },
  { what: 'an unknown member', code: 'invalid', terms: { config: { maxTier: 'public' } } },
  { what: 'a tier that is none', code: 'invalid', terms: { config: { maxSensitivityTier: 'low' } } },
  { what: 'domains that are no list', code: 'invalid', terms: { config: { domains: 'finance' } } },
  { what: 'a domain twice', code: 'invalid', terms: { config: { domains: ['a', 'a'] } } },
  { what: 'a priority beyond 32 bits', code: 'invalid', terms: { priority: 2_147_483_648 } },
];

const links: readonly Refused[] = [
  { what: 'a secret', code: 'skill_contains_secret', terms: { config: { notes: secret } } },
  { what: 'what hides', code: 'skill_contains_unsafe_text', terms: { config: { examples: [hidden] } } },
  {
    what: 'an approval workflow',
    code: 'insufficient_scope',
    terms: { config: { approvalWorkflow: 'ops/approve' } },
  },
  {
    what: 'a looser limit',
    code: 'insufficient_scope',
    terms: { config: { maxSensitivityTier: 'internal' } },
  },
  { what: 'a skill that is not there', code: 'not_found', terms: {}, ids: { skillId: nowhere } },
  { what: 'a tool that is not there', code: 'not_found', terms: {}, ids: { toolId: nowhere } },
  { what: 'an unknown member', code: 'invalid', terms: { config: { approval: 'ops/approve' } } },
  { what: 'a level that is none', code: 'invalid', terms: { accessLevel: 'admin' } },
  { what: 'a priority that is a text', code: 'invalid', terms: { config: { priority: 'high' } } },
];

eachServer((server) => {
  let agent: AccountAgent;
  let ids: Ids;
  let author: string;
  let client: Client;

  beforeAll(async () => {
    const token = await server().token();
    const send = async (method: string, path: string, body?: unknown) =>
      server().api(method, path, { token, ...(body !== undefined && { body }) });
    agent = await makeAccountAgent(
      { send: (method, path, _, { body } = {}) => send(method, path, body) },
      token,
    );
    const [toolId = ''] = Object.values(agent.toolIds);
    ids = { agentDefId: agent.agentDefId, skillId: agent.skillId, toolId };
    const config = { maxSensitivityTier: 'public' };
    await send('PUT', `/skills/${agent.skillId}/tools/${toolId}`, { config });
    await send('PUT', `/agents/${agent.agentDefId}/skills/${agent.skillId}`, { config });
    author = await server().token({ scope: 'catalog:read catalog:write catalog:all-services' });
    client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${author}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server().address}/mcp`), { requestInit }),
    );
  });

  afterAll(() => client.close());

  /** Code, detail and faults of a refusal; of a fault of form the faults alone, since each door has a name for those. */
  function rendered(code: string, text: string): string {
    return code === 'invalid' ? text.replace(/^.*$/m, 'invalid') : text;
  }

  async function overHttp(path: string, code: string, body: object): Promise<string> {
    const answer = await server().api<Problem>('PUT', path, { token: author, body });
    const { code: own, detail, errors = [] } = answer.body;
    return rendered(
      code,
      [`${own}: ${detail}`, ...errors.map((at) => `${at.pointer}: ${at.detail}`)].join('\n'),
    );
  }

  async function overMcp(name: string, code: string, parameters: Record<string, unknown>): Promise<string> {
    const { isError, content } = await client.callTool({ name, arguments: parameters });
    const [{ text } = { text: '' }] = content as { text: string }[];
    return isError ? rendered(code, text) : 'done';
  }

  it.each(assignments)('an assignment with $what is refused alike', async ({ code, terms, ids: other }) => {
    const { agentDefId, skillId } = { ...ids, ...other };
    const http = await overHttp(`/agents/${agentDefId}/skills/${skillId}`, code, terms);
    expect(http).toMatch(new RegExp(`^${code}\\b`));
    expect(await overMcp('assign_skill', code, { agentDefId, skillId, ...terms })).toBe(http);
  });

  it.each(links)('a link with $what is refused alike', async ({ code, terms, ids: other }) => {
    const { skillId, toolId } = { ...ids, ...other };
    const http = await overHttp(`/skills/${skillId}/tools/${toolId}`, code, terms);
    expect(http).toMatch(new RegExp(`^${code}\\b`));
    expect(await overMcp('link_tool', code, { skillId, toolId, ...terms })).toBe(http);
  });
});
