import {
  Alert,
  Button,
  Card,
  CardBody,
  CardTitle,
  Form,
  FormGroup,
  Label,
  TextInput,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Why the agent is given a tool, or why not: rule by rule. */
export function Explanation({ agent }: { readonly agent: Of<'AgentDefinition'> }) {
  const { agents } = useTexts();
  const [{ tool = '' }, set] = useSearchState();
  const [name, setName] = useState(tool);
  return (
    <div className="portal-stack">
      <Form
        isWidthLimited
        onSubmit={(event) => {
          event.preventDefault();
          set({ tool: name.trim() });
        }}
      >
        <FormGroup label={agents.whichTool} fieldId="why-tool">
          <TextInput id="why-tool" value={name} onChange={(_, text) => setName(text)} />
        </FormGroup>
        <div>
          <Button type="submit" isDisabled={name.trim() === ''}>
            {agents.explain}
          </Button>
        </div>
      </Form>
      {tool !== '' && <Explained agent={agent} tool={tool} />}
    </div>
  );
}

function Explained({ agent, tool }: { readonly agent: Of<'AgentDefinition'>; readonly tool: string }) {
  const { agents } = useTexts();
  const hostId = useHost();
  const { agentDefId, serviceId, envTag } = agent;
  const explanation = useQuery({
    queryKey: ['explanation', hostId, agentDefId, tool],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/agents/{agentDefId}/effective-catalog/explain', {
          params: { path: { hostId, agentDefId }, query: { serviceId, envTag, tool } },
        }),
      ),
  });
  return (
    <Answer of={explanation}>
      {({ disclosed, offers }) => (
        <div className="portal-stack">
          <Alert
            component="h2"
            isInline
            variant={disclosed ? 'success' : 'warning'}
            title={disclosed ? agents.isGiven(tool) : agents.isNotGiven(tool)}
          />
          {offers.length === 0 && <Nothing title={agents.notOffered}>{agents.notOfferedMend}</Nothing>}
          {offers.map((offer) => (
            <Offer key={`${offer.skillId} ${offer.toolId}`} {...offer} />
          ))}
        </div>
      )}
    </Answer>
  );
}

type OfferGiven = Of<'ExplainEffectiveAgentCatalogResponse'>['offers'][number];

function Offer({ skillId, skillName, toolName, rules }: OfferGiven) {
  const { agents } = useTexts();
  return (
    <Card isCompact>
      <CardTitle component="h2">
        {toolName} · <To to={`/skills/${skillId}`}>{skillName}</To>
      </CardTitle>
      <CardBody>
        <Table variant="compact" aria-label={agents.rules}>
          <Thead>
            <Tr>
              <Th>{agents.rule}</Th>
              <Th>{agents.outcome}</Th>
              <Th width={50}>{agents.detail}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {rules.map(({ reason, outcome, compared, detail }) => (
              <Tr key={reason}>
                <Td dataLabel={agents.rule}>
                  <code>{reason}</code>
                </Td>
                <Td dataLabel={agents.outcome}>
                  <Label isCompact color={outcome === 'passed' ? 'green' : 'red'}>
                    {agents.outcomes[outcome]}
                  </Label>
                </Td>
                <Td dataLabel={agents.detail}>{detail ?? <code>{JSON.stringify(compared)}</code>}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </CardBody>
    </Card>
  );
}
