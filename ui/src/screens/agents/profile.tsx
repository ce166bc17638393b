import { ActionGroup, FormGroup, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { DraftButtons, DraftTrouble, useDraft } from '../../parts/draft.tsx';
import { WritingForm } from '../../parts/for-writers.tsx';
import { useTiers, type Tier } from '../../parts/labels.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** What the agent is: how sensitive its tools may be, for whom it works, and what it knows of. */
export function Profile({ agent }: { readonly agent: Of<'AgentDefinition'> }) {
  const { agents } = useTexts();
  const tiers = useTiers();
  const hostId = useHost();
  const path = { hostId, agentDefId: agent.agentDefId };
  const read = () => given(api.GET('/v1/hosts/{hostId}/agents/{agentDefId}', { params: { path } }));
  const draft = useDraft({
    saved: editedOf(agent),
    wordsOf,
    write: async ({ maxSensitivityTier, ...lists }, header) => {
      // What is not edited here stays as it is in the version that is written over.
      const { modelProvider, modelName, temperature, maxTokens, gatewayIds } = await read();
      return given(
        api.PUT('/v1/hosts/{hostId}/agents/{agentDefId}', {
          params: { path, header },
          body: {
            ...{ modelProvider, modelName, temperature, maxTokens, gatewayIds, maxSensitivityTier },
            personas: namesIn(lists.personas),
            domains: namesIn(lists.domains),
            semanticNamespaces: namesIn(lists.semanticNamespaces),
          },
        }),
      );
    },
  });
  const { words, set } = draft;
  const labels = {
    personas: agents.personas,
    domains: agents.domains,
    semanticNamespaces: agents.namespaces,
  };
  const names = Object.keys(labels) as (keyof typeof labels)[];
  return (
    <WritingForm isWidthLimited submit={() => draft.save()}>
      <DraftTrouble
        draft={draft}
        question={['agent', hostId, agent.agentDefId]}
        ask={async () => editedOf(await read())}
        textOf={({ maxSensitivityTier, ...lists }) =>
          [
            `${agents.tier}: ${tiers[maxSensitivityTier]}`,
            ...names.map((name) => `${labels[name]}: ${lists[name]}`),
          ].join('\n')
        }
      />
      <FormGroup label={agents.tier} fieldId="profile-tier">
        <FormSelect
          id="profile-tier"
          value={words.maxSensitivityTier}
          onChange={(_, value) => set('maxSensitivityTier')(value as Tier)}
        >
          {Object.entries(tiers).map(([each, title]) => (
            <FormSelectOption key={each} value={each} label={title} />
          ))}
        </FormSelect>
      </FormGroup>
      {names.map((name) => (
        <FormGroup key={name} label={labels[name]} fieldId={`profile-${name}`}>
          <TextInput
            id={`profile-${name}`}
            value={words[name]}
            placeholder={agents.listHint}
            onChange={(_, text) => set(name)(text)}
          />
        </FormGroup>
      ))}
      <ActionGroup>
        <DraftButtons draft={draft} />
      </ActionGroup>
    </WritingForm>
  );
}

function editedOf(agent: Of<'AgentDefinition'>) {
  const { aggregateVersion, updateUser, maxSensitivityTier, ...lists } = agent;
  return {
    ...{ aggregateVersion, updateUser, maxSensitivityTier },
    personas: lists.personas.join(', '),
    domains: lists.domains.join(', '),
    semanticNamespaces: lists.semanticNamespaces.join(', '),
  };
}

function wordsOf({ aggregateVersion: _, updateUser: __, ...words }: ReturnType<typeof editedOf>) {
  return words;
}

function namesIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}
