import {
  Alert,
  Button,
  Card,
  CardBody,
  CardTitle,
  ExpandableSection,
  Form,
  FormGroup,
  TextInput,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiFault, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Mend, useReasons } from '../../parts/reasons.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { useSettled } from '../../parts/settled.ts';
import { shown } from '../../parts/shown.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { GoTo, To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Why the agent is given a tool, or why not: rule by rule. */
export function Explanation({ agent }: { readonly agent: Of<'AgentDefinition'> }) {
  const { agents } = useTexts();
  const [{ tool = '' }, set] = useSearchState();
  const [name, setName] = useState(tool);
  const hostId = useHost();
  const q = useSettled(name.trim());
  const found = useQuery({
    queryKey: ['tools to explain', hostId, q],
    enabled: q !== '',
    queryFn: () => {
      const params = { path: { hostId }, query: { limit: 20, q } };
      return given(api.GET('/v1/hosts/{hostId}/tools', { params }));
    },
  });
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
          <TextInput
            id="why-tool"
            list="why-tools"
            autoComplete="off"
            value={name}
            onChange={(_, text) => setName(text)}
          />
          <datalist id="why-tools">
            {found.data?.items.map((each) => (
              <option key={each.toolId} value={each.name} />
            ))}
          </datalist>
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
  // The agent is there: it is the tool that none of its skills offers.
  if (explanation.error instanceof ApiFault && explanation.error.status === 404)
    return <NotOffered tool={tool} />;
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
          {offers.map((offer) => (
            <Offer key={`${offer.skillId} ${offer.toolId}`} agentDefId={agentDefId} {...offer} />
          ))}
        </div>
      )}
    </Answer>
  );
}

/** A tool that there is, and one that there is not, are mended otherwise. */
function NotOffered({ tool: name }: { readonly tool: string }) {
  const { agents } = useTexts();
  const hostId = useHost();
  const found = useQuery({
    queryKey: ['tools of a name', hostId, name],
    queryFn: () => {
      const params = { path: { hostId }, query: { limit: 1, name } };
      return given(api.GET('/v1/hosts/{hostId}/tools', { params }));
    },
  });
  return (
    <Answer of={found}>
      {({ items: [tool] }) =>
        tool === undefined ? (
          <Nothing title={agents.noSuchTool(name)}>{agents.noSuchToolMend}</Nothing>
        ) : (
          <Nothing title={agents.notOffered} action={<GoTo to={`/tools/${tool.toolId}`}>{name}</GoTo>}>
            {agents.notOfferedMend}
          </Nothing>
        )
      }
    </Answer>
  );
}

type OfferGiven = Of<'ExplainEffectiveAgentCatalogResponse'>['offers'][number];

function Offer({ agentDefId, ...offer }: OfferGiven & { readonly agentDefId: string }) {
  const { agents } = useTexts();
  const wordsOf = useReasons();
  const { skillId, skillName, toolId, rules } = offer;
  const failed = rules.filter(({ outcome }) => outcome === 'withheld');
  const passed = rules.filter(({ outcome }) => outcome === 'passed');
  return (
    <Card isCompact>
      <CardTitle component="h2">
        {agents.through} <To to={`/skills/${skillId}`}>{skillName}</To>
      </CardTitle>
      <CardBody className="portal-stack">
        {failed.length === 0 && <p>{agents.allPassed}</p>}
        {failed.map(({ reason, detail }, index) => (
          <Alert
            key={reason}
            component="h3"
            isInline
            isPlain={index > 0}
            variant="warning"
            title={index === 0 ? wordsOf(reason) : agents.alsoFailed(wordsOf(reason))}
            actionLinks={<Mend {...{ reason, agentDefId, skillId, toolId }} />}
          >
            {detail}
          </Alert>
        ))}
        <ExpandableSection toggleText={agents.passedRules(passed.length)}>
          <Passed rules={passed} />
        </ExpandableSection>
      </CardBody>
    </Card>
  );
}

function Passed({ rules }: Pick<OfferGiven, 'rules'>) {
  const { agents } = useTexts();
  const wordsOf = useReasons();
  return (
    <Table variant="compact" aria-label={agents.rules}>
      <Thead>
        <Tr>
          <Th width={40}>{agents.notSo}</Th>
          <Th>{agents.compared}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {rules.map(({ reason, compared }) => (
          <Tr key={reason}>
            <Td dataLabel={agents.notSo}>{wordsOf(reason)}</Td>
            <Td dataLabel={agents.compared}>{shown(compared)}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}
