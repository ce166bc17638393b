import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { AgentDefinitionEvent, AgentProfile } from './agent.events.js';
import { AgentRow } from './agents.row.js';

export const agentProjection: Projection = {
  name: 'agents',
  tables: ['agent_definition_t', 'agent_definition_history_t'],
  handles: [
    'AgentDefinitionCreatedEvent',
    'AgentDefinitionUpdatedEvent',
    'AgentDeactivatedEvent',
    'AgentActivatedEvent',
  ] satisfies readonly AgentDefinitionEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & AgentDefinitionEvent)[];
    const rows = new RowChanges(AgentRow);
    for (const event of events) {
      const key = { host_id: event.host, agent_def_id: event.aggregateid };
      const created = event.type === 'AgentDefinitionCreatedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, created);
    }
    rows.write(tx);
  },
};

function changeOf(event: AgentDefinitionEvent): Partial<AgentRow> {
  switch (event.type) {
    case 'AgentDefinitionCreatedEvent':
      return { ...columnsOf(event.data), active: true };
    case 'AgentDefinitionUpdatedEvent':
      return columnsOf(event.data);
    case 'AgentDeactivatedEvent':
      return { active: false };
    case 'AgentActivatedEvent':
      return { active: true };
  }
}

const columns: Readonly<Record<keyof AgentProfile, keyof AgentRow>> = {
  modelProvider: 'model_provider',
  modelName: 'model_name',
  temperature: 'temperature',
  maxTokens: 'max_tokens',
  personas: 'personas',
  maxSensitivityTier: 'max_sensitivity_tier',
  gatewayIds: 'gateway_ids',
  domains: 'domains',
  semanticNamespaces: 'semantic_namespaces',
};

function columnsOf(profile: Partial<AgentProfile>): Partial<AgentRow> {
  return Object.fromEntries(
    Object.entries(profile).map(([member, value]) => [columns[member as keyof AgentProfile], value]),
  );
}
