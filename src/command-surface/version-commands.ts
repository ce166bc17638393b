/** Declares the commands on versions of tools: names, parameters, results. Pure. */
import { listAnswer, uuid } from '../platform/http/schemas.js';
import { consolidationAnswer, consolidationBody, lintAnswer, lintBody } from '../previews/shared.js';
import {
  approvalBody,
  rejectionBody,
  versionEvaluationAnswer,
  versionEvaluationBody,
  versionReportAnswer,
} from '../reviews/shared.js';
import {
  deprecationBody,
  listedTool,
  movingReceipt,
  listedVersion,
  newVersion,
  pushReceipt,
  retirementBody,
  specPush,
  toolListQuery,
  versionDiffAnswer,
  versionReceipt,
  versionsQuery,
  withdrawalBody,
} from '../tools/shared.js';
import type { CommandSpec } from './agent-command.js';

const version = { ...listedVersion.properties.version, description: 'Of the tool, like 1.2.0.' } as const;
const one = { toolId: uuid, version } as const;
const named = ['toolId', 'version'] as const;

const reviewing = {
  scope: ['catalog:read'],
  writes: false,
  execution: 'direct',
  confined: 'refused',
} as const;
const writing = {
  scope: ['catalog:write'],
  writes: true,
  overwrites: true,
  execution: 'direct',
  result: versionReceipt,
} as const;
const deciding = { ...writing, scope: ['catalog:approve'] } as const;

const { q, apiVersionId, inReview, changed, active, limit, cursor } = toolListQuery.properties;

export const versionSpecs = [
  {
    ...reviewing,
    name: 'list_tools',
    result: listAnswer(listedTool),
    summary: 'Tools of the host, and what waits of them',
    description:
      'A page of the tools, by name, with inReview: the versions that wait. With inReview true only those of which one waits. search_tools finds the right one for a prompt.',
    properties: { q, apiVersionId, inReview, changed, active, limit, cursor },
  },
  {
    ...reviewing,
    name: 'list_tool_versions',
    result: listAnswer(listedVersion),
    summary: 'Versions of a tool, and their states',
    description:
      'All versions of a tool, the newest first, whatever became of them. Agents are given approved and deprecated ones.',
    properties: { toolId: uuid, ...versionsQuery.properties },
    required: ['toolId'],
  },
  {
    ...reviewing,
    name: 'lint_tool',
    result: lintAnswer,
    summary: 'What models will get wrong in a spec',
    description:
      'Checks the spec of a tool before it is pushed and compares it with the tools that there are. Keeps nothing.',
    properties: lintBody.properties,
    required: lintBody.required,
  },
  {
    ...reviewing,
    name: 'consolidate_tools',
    result: consolidationAnswer,
    summary: 'One tool in place of several, as a draft',
    description:
      'Proposes specs of tools in place of those that read the same, are confused, or are named; says what it left out. Writes nothing: edit a proposal, then push_tool_spec.',
    properties: consolidationBody.properties,
  },
  {
    ...writing,
    overwrites: false,
    idempotent: true,
    name: 'push_tool_spec',
    result: pushReceipt,
    summary: 'Push a version’s spec as a draft',
    description:
      'Writes the version that a spec says as a draft, and makes the tool where there is none of the name. No agent is given it before it is approved. The same texts again change nothing.',
    properties: specPush.properties,
    required: specPush.required,
  },
  {
    ...writing,
    idempotent: true,
    name: 'draft_tool_version',
    summary: 'Write a version of a tool as a draft',
    description:
      'Writes a version of a tool that is there, or writes it again while it is a draft. Its number is at least as high as the change asks for. Tools that came as specs take push_tool_spec.',
    properties: { toolId: uuid, ...newVersion.properties },
    required: ['toolId', ...newVersion.required],
  },
  {
    ...reviewing,
    name: 'diff_tool_versions',
    result: versionDiffAnswer,
    summary: 'What differs between two versions',
    description:
      'What a version changes for those who call the tool, graded, and every text that differs. Without against, it is compared with the newest before it that agents are given.',
    properties: { ...one, against: { ...version, description: 'The version that it is compared with.' } },
    required: named,
  },
  {
    ...writing,
    overwrites: false,
    name: 'submit_tool_version',
    summary: 'Ask for the review of a draft',
    description: 'From then on the version stays as it is, and waits for somebody other than its author.',
    properties: one,
    required: named,
  },
  {
    ...writing,
    overwrites: false,
    confined: 'refused',
    name: 'evaluate_tool_version',
    result: versionEvaluationAnswer,
    summary: 'Ask the catalog with a version in place',
    description:
      'Finds which prompts lead elsewhere with the version in place of the one that agents are given. What it finds is kept; an approval rests on one with the config that is kept, all data sets and no wider margin.',
    properties: { ...one, ...versionEvaluationBody.properties },
    required: named,
  },
  {
    ...reviewing,
    name: 'report_tool_version',
    result: versionReportAnswer,
    summary: 'What the review of a version rests on',
    description:
      'Differences, the last evaluation, whom an approval gives another version, and what is missing for one. Read it before approve_tool_version.',
    properties: one,
    required: named,
  },
  {
    ...deciding,
    name: 'approve_tool_version',
    summary: 'Approve a version: agents are given it',
    description:
      'By somebody other than its author, with the digest that report_tool_version shows, and after an evaluation of exactly this content has passed. An override does without author and evaluation; its reason stays with the version, and only a person should decide on one.',
    properties: { ...one, ...approvalBody.properties },
    required: [...named, ...approvalBody.required],
  },
  {
    ...writing,
    overwrites: false,
    name: 'withdraw_tool_version',
    summary: 'Take back a version of one’s own',
    description:
      'While it is a draft or in review, by who wrote it last. Another version takes the next number.',
    properties: { ...one, ...withdrawalBody.properties },
    required: named,
  },
  {
    ...deciding,
    name: 'reject_tool_version',
    summary: 'Reject a version, for good',
    description: 'Another version takes the next number.',
    properties: { ...one, ...rejectionBody.properties },
    required: [...named, ...rejectionBody.required],
  },
  {
    ...writing,
    result: movingReceipt,
    name: 'deprecate_tool_version',
    summary: 'Deprecate a version, with a day',
    description: 'Agents are still given it, with the day and the message.',
    properties: { ...one, ...deprecationBody.properties },
    required: [...named, ...deprecationBody.required],
  },
  {
    ...writing,
    result: movingReceipt,
    name: 'retire_tool_version',
    summary: 'Retire a version: nobody is given it',
    description:
      'Refused while links of skills take it, unless a reason is given. Try it with dryRun first: moves says whom it gives another version.',
    properties: { ...one, ...retirementBody.properties },
    required: named,
  },
] as const satisfies readonly CommandSpec[];

export type VersionCommandName = (typeof versionSpecs)[number]['name'];
