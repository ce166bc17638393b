import { Tables } from './tables.js';
import type { Sql } from '../../../src/kernel/sql.js';
import type { Registration } from '../../../src/effective-catalog/rows.queries.js';

const idOf = (kind: string, n: number): string =>
  `0000${kind}001-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** An agent with skills and tools, in the tables of one host. Ids are the same in every host. */
export class AccountAgent {
  readonly tables: Tables;
  readonly registration: Registration;

  constructor(
    sql: Sql,
    readonly hostId: string,
  ) {
    this.tables = new Tables(sql, hostId);
    this.registration = {
      hostId,
      agentDefId: AccountAgent.id,
      services: ['account-agent'],
      environments: ['dev'],
    };
  }

  static readonly id = idOf('a', 1);
  static readonly skill = (n: number): string => idOf('b', n);
  static readonly endpoint = (n: number): string => idOf('c', n);
  static readonly tool = (n: number): string => idOf('e', n);
  static readonly apiVersion = idOf('d', 1);

  /** Rows get positions from 1 on: APIs and versions 1, the profile 2, then 10 for everything. */
  async build(skills: number, toolsEach: number): Promise<this> {
    const { tables } = this;
    await tables.head(10);
    await tables.add('api_t', { api_id: 'accounts', api_name: 'Accounts' });
    await tables.add('api_t', { api_id: 'agent', api_name: 'Account Agent' });
    const version = { api_version: '1.0.0', quarantine: false, env_tag: 'dev' };
    await tables.add('api_version_t', {
      ...version,
      api_version_id: AccountAgent.apiVersion,
      api_id: 'accounts',
      api_type: 'openapi',
      service_id: 'accounts',
    });
    await tables.add('api_version_t', {
      ...version,
      api_version_id: AccountAgent.id,
      api_id: 'agent',
      api_type: 'agent',
      service_id: 'account-agent',
    });
    await tables.add('agent_definition_t', {
      agent_def_id: AccountAgent.id,
      max_sensitivity_tier: 'internal',
      position: 2,
    });
    for (let n = 0; n < skills; n++) await this.addSkill(n, toolsEach);
    return this;
  }

  private async addSkill(n: number, tools: number): Promise<void> {
    const skill_id = AccountAgent.skill(n);
    await this.tables.add('skill_t', {
      skill_id,
      name: `Skill ${String(n)}`,
      content_markdown: 'Use it.',
      version: '1.0.0',
      position: 10,
    });
    await this.tables.add('agent_skill_t', {
      agent_def_id: AccountAgent.id,
      skill_id,
      sequence_id: n,
      position: 10,
    });
    for (let t = 0; t < tools; t++) {
      const number = n * tools + t;
      await this.addTool(number);
      await this.tables.add('skill_tool_t', {
        skill_id,
        tool_id: AccountAgent.tool(number),
        access_level: 'execute',
        position: 10,
      });
    }
  }

  /** A tool that no skill has. */
  async addTool(n: number, position = 10): Promise<void> {
    const name = `tool_${String(n).padStart(3, '0')}`;
    const endpoint_id = AccountAgent.endpoint(n);
    const at = {
      api_version_id: AccountAgent.apiVersion,
      api_id: 'accounts',
      service_id: 'accounts',
      env_tag: 'dev',
    };
    const same = {
      sensitivity_tier: 'internal',
      lifecycle_status: 'active',
      source_protocol: 'openapi',
      position,
    };
    const schema = { type: 'object', properties: { id: { type: 'string' } } };
    await this.tables.add('api_endpoint_t', {
      ...at,
      ...same,
      endpoint_id,
      endpoint: `/${name}@get`,
      http_method: 'get',
      endpoint_path: `/${name}`,
      endpoint_name: name,
      endpoint_desc: `Endpoint of ${name}.`,
      tool_schema: schema,
      response_schema: { type: 'array' },
      deactivated: false,
    });
    await this.tables.add('tool_t', {
      ...at,
      ...same,
      endpoint_id,
      tool_id: AccountAgent.tool(n),
      name,
      description: `Does ${name}.`,
      version: '1.0.0',
      implementation_type: 'lightapi_endpoint',
      input_schema: schema,
      routing_domain: 'finance',
      tool_metadata: {
        routing: { semanticKeywords: ['x'] },
        safety: { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false },
      },
      params: [{ name: 'id', type: 'string', required: false, schema: { type: 'string' }, order: 0 }],
      example_prompts: '["do it"]',
    });
  }
}
