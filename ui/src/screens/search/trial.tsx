import {
  Alert,
  Button,
  ExpandableSection,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Grid,
  GridItem,
  Label,
  LabelGroup,
  TextArea,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { AgentChoice, useAgents } from '../../parts/agent-choice.tsx';
import { Facts } from '../../parts/facts.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

type Kind = Found['kind'];
type Found = Of<'SearchCatalogResponse'>['items'][number];
const places = { tool: '/tools/', skill: '/skills/', endpoint: '/endpoints/' } as const;

/** A prompt is tried, as an agent would ask it. What is asked stands in the address. */
export function Trial() {
  const { searching } = useTexts();
  const [{ prompt = '', agent = '', kind = '' }, set] = useSearchState();
  const [typed, setTyped] = useState(prompt);
  return (
    <div className="portal-stack">
      <Form
        isWidthLimited
        onSubmit={(event) => {
          event.preventDefault();
          set({ prompt: typed.trim() });
        }}
      >
        <FormGroup label={searching.prompt} fieldId="search-prompt" isRequired>
          <TextArea
            id="search-prompt"
            rows={2}
            value={typed}
            resizeOrientation="vertical"
            onChange={(_, text) => setTyped(text)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </FormGroup>
        <Grid hasGutter md={6}>
          <GridItem>
            <AgentChoice
              id="search-agent"
              label={searching.agent}
              any={searching.anyAgent}
              value={agent}
              change={(id) => set({ agent: id === '' ? undefined : id })}
            />
          </GridItem>
          <GridItem>
            <FormGroup label={searching.kind} fieldId="search-kind">
              <FormSelect
                id="search-kind"
                value={kind}
                onChange={(_, each) => set({ kind: each === '' ? undefined : each })}
              >
                <FormSelectOption value="" label={searching.anyKind} />
                {Object.entries(searching.kinds).map(([each, title]) => (
                  <FormSelectOption key={each} value={each} label={title} />
                ))}
              </FormSelect>
            </FormGroup>
          </GridItem>
        </Grid>
        <div>
          <Button type="submit" isDisabled={typed.trim() === ''}>
            {searching.search}
          </Button>
        </div>
      </Form>
      {prompt !== '' && <Ranking prompt={prompt} agentDefId={agent} kind={kind as Kind | ''} />}
    </div>
  );
}

interface Asked {
  readonly prompt: string;
  readonly agentDefId: string;
  readonly kind: Kind | '';
}

function Ranking({ prompt, agentDefId, kind }: Asked) {
  const { searching } = useTexts();
  const hostId = useHost();
  const chosen = useAgents().find((agent) => agent.agentDefId === agentDefId);
  const found = useQuery({
    queryKey: ['search', hostId, prompt, agentDefId, kind, chosen?.serviceId],
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/search', {
          params: { path: { hostId } },
          body: {
            ...{ prompt, explain: true, limit: 20 },
            ...(kind === '' ? {} : { kinds: [kind] }),
            ...(agentDefId === '' ? {} : { agentDefId }),
            ...(chosen === undefined ? {} : { serviceId: chosen.serviceId, envTag: chosen.envTag }),
          },
        }),
      ),
  });
  return (
    <Answer of={found}>
      {({ items, degraded }) => (
        <div className="portal-stack">
          {degraded?.map((part) => (
            <Alert key={part} component="h2" isInline variant="warning" title={searching.degraded[part]} />
          ))}
          {items.length === 0 ? (
            <Nothing title={searching.nothing}>{searching.nothingMend}</Nothing>
          ) : (
            <Finds items={items} />
          )}
        </div>
      )}
    </Answer>
  );
}

function Finds({ items }: { readonly items: readonly Found[] }) {
  const { searching } = useTexts();
  const { number } = useFormats();
  return (
    <Table variant="compact" aria-label={searching.found}>
      <Thead>
        <Tr>
          <Th>{searching.place}</Th>
          <Th width={20}>{searching.name}</Th>
          <Th>{searching.kind}</Th>
          <Th>{searching.score}</Th>
          <Th width={45}>{searching.why}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {items.map((item, index) => (
          <Tr key={`${item.kind} ${item.id}`}>
            <Td dataLabel={searching.place}>{number(index + 1)}</Td>
            <Td dataLabel={searching.name}>
              <To to={`${places[item.kind]}${item.id}`}>{item.name}</To>
              <div className="portal-subtle">{item.description.slice(0, 120)}</div>
            </Td>
            <Td dataLabel={searching.kind}>{searching.kinds[item.kind]}</Td>
            <Td dataLabel={searching.score}>{number(item.score)}</Td>
            <Td dataLabel={searching.why}>
              <Reasons found={item} />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

/** Which words matched and where, and what else the score is made of. */
function Reasons({
  found: { matched = [], parts, keywordScore, vectorScore, weight },
}: {
  readonly found: Found;
}) {
  const { searching } = useTexts();
  const { number } = useFormats();
  return (
    <>
      <LabelGroup aria-label={searching.matched} numLabels={8}>
        {matched.map(({ term, written, fields }) => (
          <Label key={term} isCompact color="blue">
            {written === undefined ? term : `${written} → ${term}`}: {fields.join(', ')}
          </Label>
        ))}
      </LabelGroup>
      <ExpandableSection toggleText={searching.parts}>
        <Facts
          of={[
            [searching.keywordScore, number(keywordScore)],
            [searching.words, parts && number(parts.words)],
            [searching.example, parts && number(parts.example)],
            [searching.vectorScore, vectorScore === null ? searching.noVector : number(vectorScore)],
            [searching.share, parts && number(parts.share)],
            [searching.best, parts && number(parts.best)],
            [searching.weight, number(weight)],
            ...Object.entries(parts?.weight ?? {}).map(
              ([name, value]) => [searching.weights[name as 'semantic'], number(value)] as const,
            ),
          ]}
        />
      </ExpandableSection>
    </>
  );
}
