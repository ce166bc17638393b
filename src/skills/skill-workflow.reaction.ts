import type { Reaction } from '../eventsourcing/reaction.js';
import { callsWithoutTool } from '../workflows/tool-calls.js';
import { toolCallsAfter } from '../workflows/workflow.lookup.js';
import { RecheckWorkflow, skillWorkflowId } from './skill-workflow.commands.js';
import { callableToolsOf, skillsWithWorkflows } from './skill-workflow.lookup.js';

/** A workflow that is saved or published is checked against the tools of every skill that has it (contract 6). */
export const recheckWorkflows: Reaction = {
  name: 'recheck-workflows',
  on: ['WorkflowDefinitionUpdatedEvent', 'WorkflowDefinitionPublishedEvent'],

  async react(changes, sql) {
    const changed = new Map(changes.map((change) => [change.id, change]));
    const [first] = changes;
    if (first === undefined) return [];
    const { hostId } = first.command;
    const links = await skillsWithWorkflows(sql, hostId, [...changed.keys()]);
    if (links.length === 0) return [];
    const skillIds = [...new Set(links.map(({ skillId }) => skillId))];
    const tools = await callableToolsOf(sql, hostId, skillIds);
    return links.flatMap((link) => {
      const cause = changed.get(link.wfDefId);
      if (cause === undefined) return [];
      const withoutTool = callsWithoutTool(toolCallsAfter(cause), tools.get(link.skillId) ?? []);
      return [
        { command: new RecheckWorkflow(hostId, skillWorkflowId(link), { ...link, withoutTool }), cause },
      ];
    });
  },
};
