import {
  ActionGroup,
  Alert,
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  TextInput,
} from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { api, given, type Of, ifMatch } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useTypedOver } from '../../parts/typed-over.ts';
import { useTiers, type Tier } from '../../parts/labels.tsx';
import { notify } from '../../parts/notices.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** What the agent is: how sensitive its tools may be, for whom it works, and what it knows of. */
export function Profile({ agent }: { readonly agent: Of<'AgentDefinition'> }) {
  const { agents, records } = useTexts();
  const tiers = useTiers();
  const hostId = useHost();
  const { agentDefId, modelProvider, modelName, temperature, maxTokens, gatewayIds } = agent;
  const draft = useTypedOver(wordsOf(agent), agent.aggregateVersion);
  const { tier, ...lists } = draft.words;
  const save = useMutation({
    mutationFn: () =>
      given(
        api.PUT('/v1/hosts/{hostId}/agents/{agentDefId}', {
          params: { path: { hostId, agentDefId }, header: ifMatch(draft.over) },
          body: {
            ...{ modelProvider, modelName, temperature, maxTokens, gatewayIds, maxSensitivityTier: tier },
            personas: namesIn(lists.personas),
            domains: namesIn(lists.domains),
            semanticNamespaces: namesIn(lists.semanticNamespaces),
          },
        }),
      ),
    onSuccess: () => notify('success', records.saved),
  });
  const labels = {
    personas: agents.personas,
    domains: agents.domains,
    semanticNamespaces: agents.namespaces,
  };
  return (
    <Form
      isWidthLimited
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {draft.isBehind && !save.isPending && (
        <Alert
          component="h2"
          isInline
          variant="warning"
          title={agents.profileBehind(agent.updateUser)}
          actionLinks={
            <Button variant="link" isInline onClick={draft.takeTheirs}>
              {agents.takeTheirs}
            </Button>
          }
        />
      )}
      <FormGroup label={agents.tier} fieldId="profile-tier">
        <FormSelect
          id="profile-tier"
          value={tier}
          onChange={(_, value) => draft.set({ ...draft.words, tier: value as Tier })}
        >
          {Object.entries(tiers).map(([each, title]) => (
            <FormSelectOption key={each} value={each} label={title} />
          ))}
        </FormSelect>
      </FormGroup>
      {(Object.keys(labels) as (keyof typeof labels)[]).map((name) => (
        <FormGroup key={name} label={labels[name]} fieldId={`profile-${name}`}>
          <TextInput
            id={`profile-${name}`}
            value={lists[name]}
            placeholder={agents.listHint}
            onChange={(_, text) => draft.set({ ...draft.words, [name]: text })}
          />
        </FormGroup>
      ))}
      <ActionGroup>
        <Button type="submit" isLoading={save.isPending} isDisabled={save.isPending}>
          {records.save}
        </Button>
      </ActionGroup>
    </Form>
  );
}

function wordsOf({ maxSensitivityTier, personas, domains, semanticNamespaces }: Of<'AgentDefinition'>) {
  return {
    tier: maxSensitivityTier,
    personas: personas.join(', '),
    domains: domains.join(', '),
    semanticNamespaces: semanticNamespaces.join(', '),
  };
}

function namesIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}
