import { impactExample } from '../../endpoints/shared.js';
import { Patch, Post } from '@nestjs/common';
import { impactRoute } from '../../endpoints/public.js';
import { NotFound } from '../../kernel/errors.js';
import { listAnswer } from '../../platform/http/schemas.js';
import { located } from '../../platform/records/record-routes.js';
import { readRoute, writeRoute } from '../../platform/records/routes.js';
import { resultReply } from '../../platform/http/replies.js';
import {
  listedTool,
  paramName,
  toolAnswer,
  toolBatchAnswer,
  toolDeactivationReceipt,
  toolParam,
  toolReceipt,
  toolWordsReceipt,
} from './tool-answers.schemas.js';
import { TeachTools } from './tool-examples.planner.js';
import { ActivateTool, CreateTool, DeactivateTool, toolTaxonomy, UpdateTool } from './tool-writes.planner.js';
import {
  exampleLessons,
  listedToolExample,
  newTool,
  paramExample,
  toolExample,
  toolExampleId,
  toolListQuery,
  type ToolListQuery,
  toolPatch,
  toolReceiptExample,
} from './tool.schemas.js';
import { getTool, listTools, toolParams } from './tools.queries.js';

const written = { ...toolReceiptExample, version: 2, position: 13 };

export const toolRoutes = [
  readRoute<ToolListQuery>(
    'tools',
    {
      id: 'listTools',
      summary: 'List tools',
      scope: 'catalog:read',
      query: toolListQuery,
      answer: listAnswer(listedTool),
      example: { query: { domain: 'finance.accounts' }, answer: { items: [listedToolExample] } },
    },
    (sql, { visibility, query }) => listTools(sql, visibility, query),
  ),
  readRoute(
    'tools/:toolId',
    {
      id: 'getTool',
      summary: 'Get a tool',
      description:
        'With its params, the overrides of operators, and the changes of its source that are not accepted yet.',
      scope: 'catalog:read',
      answer: toolAnswer,
      example: { answer: toolExample },
    },
    (sql, { visibility, params: { toolId = '' } }) => getTool(sql, visibility, toolId),
  ),
  impactRoute(
    'tools/:toolId',
    { kind: 'tool', requireSeen: getTool },
    { id: 'getToolImpact', noun: 'a tool' },
  ),
  writeRoute(
    [Post, 'tools'],
    {
      id: 'createTool',
      summary: 'Make a tool without an endpoint',
      description:
        'The catalog describes it and never runs it. It serves every environment. Refused with `tool_name_taken` ' +
        'where another active tool has the name, and with `invalid_schema` where a schema is no JSON Schema 2020-12. ' +
        'Secrets in its texts are replaced, with a warning. Text that addresses the model is marked, and `withheld` says where ' +
        'agents are not given the tool until it is accepted.',
      scope: 'catalog:write',
      body: newTool,
      status: 201,
      answer: toolWordsReceipt,
      example: {
        body: {
          name: 'addNumbers',
          description: 'Adds two numbers.',
          implementationType: 'python',
          scriptContent: 'def run(a, b): return a + b',
          inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
        },
        answer: { ...toolReceiptExample, name: 'addNumbers' },
      },
    },
    CreateTool,
    located('tools'),
  ),
  writeRoute(
    [Patch, 'tools/:toolId'],
    {
      id: 'updateTool',
      summary: "Write the operator's words on a tool",
      description:
        'They survive every refresh of the endpoint; null takes one back. Lowering the sensitivity tier, clearing a ' +
        'safety flag and setting an approval workflow also need catalog:admin. The name is frozen. Secrets are replaced, ' +
        'with a warning. A tool without an endpoint may be given other schemas: the change is graded, raises the version, and is ' +
        'marked until it is accepted; `withheld` says where agents are not given the tool meanwhile. `tool_has_endpoint` where the schemas are those of an endpoint, `invalid_schema` where one is no ' +
        'JSON Schema 2020-12.',
      scope: 'catalog:write',
      body: toolPatch,
      answer: toolWordsReceipt,
      example: {
        body: { description: 'Shows the balance of one account.' },
        answer: { ...written, toolVersion: '1.0.1' },
      },
    },
    UpdateTool,
  ),
  writeRoute(
    [Post, 'tools/:toolId/activate'],
    {
      id: 'activateTool',
      summary: 'Offer a tool again',
      description: 'Refused with `tool_name_taken` where another active tool has its name by now.',
      scope: 'catalog:write',
      answer: toolReceipt,
      example: { answer: written },
    },
    ActivateTool,
  ),
  writeRoute(
    [Post, 'tools/:toolId/deactivate'],
    {
      id: 'deactivateTool',
      summary: 'Offer a tool no longer',
      description:
        'Skills keep it and agents keep their skills; the tool is withheld from them. The answer says whom it hits.',
      scope: 'catalog:write',
      answer: toolDeactivationReceipt,
      example: { answer: { ...written, active: false, impact: impactExample } },
    },
    DeactivateTool,
  ),
  readRoute(
    'tools/:toolId/params',
    {
      id: 'listToolParams',
      summary: 'List the params of a tool',
      description: 'All of them, in their order: the properties of the input schema.',
      scope: 'catalog:read',
      answer: listAnswer(toolParam),
      example: { answer: { items: [paramExample] } },
    },
    (sql, { visibility, params: { toolId = '' } }) => toolParams(sql, visibility, toolId),
  ),
  readRoute(
    'tools/:toolId/params/:paramName',
    {
      id: 'getToolParam',
      summary: 'Get a param of a tool',
      description: 'By its name: a property of the input schema.',
      scope: 'catalog:read',
      params: { paramName },
      answer: toolParam,
      example: { answer: paramExample },
    },
    async (sql, { visibility, params: { toolId = '', paramName: name = '' } }) => {
      const { items } = await toolParams(sql, visibility, toolId);
      const param = items.find((each) => each.name === name);
      if (param === undefined) throw new NotFound(`param of tool ${toolId}`, name);
      return param;
    },
  ),
  writeRoute(
    [Post, 'tools/examples'],
    {
      id: 'teachTools',
      summary: 'Add or replace example prompts of many tools',
      description: 'What people say when they want a tool. All or none; a tool keeps at most 200.',
      scope: 'catalog:write',
      batch: true,
      body: exampleLessons,
      answer: toolBatchAnswer,
      example: {
        body: { items: [{ toolName: 'getAccountByNo', prompts: ['how much is on this account'] }] },
        answer: {
          items: [{ ...toolReceiptExample, id: toolExampleId, version: 2, position: 13 }],
          position: 13,
        },
      },
    },
    TeachTools,
    resultReply,
  ),
  ...toolTaxonomy.routes,
];
