import type { NounTexts } from './platform/http/openapi-document.js';

/** What the document says of its headings and of the parameters of its paths. */
export const nounTexts: NounTexts = {
  tags: {
    agents:
      'Profiles of agents, the skills they are assigned, and the effective catalog that each is given. An agent is an API version of type `agent`.',
    'api-versions':
      'One version of an API in one service and environment: its document, its switch, and its exports as LightAPI or OpenAPI.',
    apis: 'APIs by the name that a company calls them by; each has versions.',
    categories: 'A tree of categories for APIs, endpoints, tools, skills and workflows.',
    code: 'The catalog as documents that a repository keeps: exported, planned, applied.',
    discovery:
      'What of the host is public, by the standards of discovery. Without a token what everybody may know; with one what its caller may see.',
    diagnostics: 'Why an agent gets a tool or does not, and what gateways and skills lack. Reads only.',
    embeddings: 'How far the documents of the search have their vectors.',
    endpoints:
      'Operations of an API version, as its layers make them: what documents say, what operators say over it, and changes that wait for acceptance.',
    evaluations: 'Sets of prompts with the tools they should find, and how well the search finds them.',
    events: 'The log of a host: every change, in order, with who made it; as pages and as a stream.',
    gateways:
      'Gateways that execute tools: which tools each exposes, its configuration, and how it differs from the catalog (drift).',
    graph:
      'Read-only queries over all nouns and their relations, in a small language; docs/graph.md names what there is.',
    health: 'Whether the process runs, and whether it can serve. Without a token.',
    imports:
      'Takes API descriptions in: OpenAPI, MCP, LightAPI, OpenRPC, gRPC, GraphQL. Begin here with an API of your own.',
    metrics: 'Counters and measures for Prometheus. Without a token.',
    'public-entries': 'Which skills, tools, gateways and agents are public, and what is said of them then.',
    search: 'Finds tools and skills for a prompt, within one agent’s catalog or in the whole host.',
    session:
      'Who is signed in at the browser, and what of the host’s claims is worked on. By a cookie, for pages of the service.',
    settings: 'Settings of the host, such as quarantine and what /mcp lists.',
    skills:
      'Instructions for agents with the tools and workflows they use: written, imported and exported as documents or folders.',
    portal:
      'The reference system’s way of asking, for agents that know no other. Each action is answered by the operation that it stands for.',
    tags: 'Free labels for APIs, endpoints, tools, skills and workflows.',
    tools: 'Tools published from endpoints, and script tools: names, schemas, texts for models, guards.',
    webhooks: 'Addresses that are sent a signed event when a log grows, with their deliveries.',
    workflows: 'Definitions of workflows, what their steps call, and whether they hold.',
  },
  parameters: {
    hostId: 'Id of the host, a UUID: the company whose records these are. The token says it as `host`.',
    agentDefId: 'Id of the agent, a UUID: that of its API version of type `agent`.',
    skillId: 'Id of the skill, a UUID.',
    dependsOnSkillId: 'Id of the skill that the other one needs, a UUID.',
    apiId: 'Id of the API: the short name that was given when it was made.',
    apiVersionId: 'Id of the API version, a UUID.',
    categoryId: 'Id of the category, a UUID.',
    tagId: 'Id of the tag, a UUID.',
    endpointId: 'Id of the endpoint, a UUID.',
    toolId: 'Id of the tool, a UUID.',
    version: 'Semantic version of the tool, like 1.2.0.',
    language: 'Language of the package.',
    paramName: 'Name of a parameter of the tool, as its input schema has it.',
    setName: 'Name of the evaluation set. A `PUT` with a new one makes the set.',
    evaluationId: 'Id of the evaluation, a UUID.',
    gatewayId:
      'Id of the gateway, a UUID. A `PUT` with a new one, which the caller makes up, registers the gateway.',
    wfDefId: 'Id of the workflow definition, a UUID.',
    workflowRole: 'What the workflow is to the skill.',
    webhookId:
      'Id of the webhook, a UUID. A `PUT` with a new one, which the caller makes up, makes the webhook.',
    deliveryId: 'Id of the delivery, a UUID.',
    skillName: 'Public name of the skill, as the index has it.',
    agentName: 'Public name of the agent, as ard.json has it.',
    gatewayName: 'Public name of the gateway, as ard.json has it.',
    serverName:
      'Name of the MCP server as it is listed, such as com.example.catalog/accounts; the slash is written %2F.',
    serverVersion: 'A version of the MCP server, or `latest`.',
    entityId: 'Id of the skill, tool, gateway or agent, a UUID.',
    aggregateType: 'Kind of the record whose events are read, such as `Skill`.',
    aggregateId: 'Id of the record whose events are read.',
  },
};
