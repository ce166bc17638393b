import {
  Alert,
  Button,
  Card,
  CardBody,
  CardTitle,
  Content,
  ExpandableSection,
  Flex,
  Label,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Of } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { Code } from '../../parts/code.tsx';
import { effectiveCatalog, type EffectiveCatalog } from '../../parts/effective-catalog.ts';
import { Facts } from '../../parts/facts.tsx';
import { TierLabel } from '../../parts/labels.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { GoTo, To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { AsOf } from './as-of.tsx';
import { Callable } from './callable.tsx';
import { Withheld } from './withheld.tsx';

/** What the agent is given now or was given then, as it gets it; for those who may see it, what is withheld, and why. */
export function Catalog({ agent }: { readonly agent: Of<'AgentDefinition'> }) {
  const { agents } = useTexts();
  const hostId = useHost();
  const { agentDefId, serviceId, envTag } = agent;
  const [{ asOf }] = useSearchState();
  const withheld = useMay('catalog:admin');
  const asked = (then: string | undefined) => {
    const query = { serviceId, envTag, withheld, ...(then === undefined ? {} : { asOf: then }) };
    return effectiveCatalog(hostId, agentDefId, query);
  };
  const question = ['effective catalog', hostId, agentDefId];
  const now = useQuery({ queryKey: [...question, ''], queryFn: () => asked(undefined) });
  const catalog = useQuery({ queryKey: [...question, asOf ?? ''], queryFn: () => asked(asOf) });
  const [isJson, setJson] = useState(false);
  return (
    <div className="portal-stack">
      {catalog.data !== undefined && (
        <Flex
          justifyContent={{ default: 'justifyContentSpaceBetween' }}
          alignItems={{ default: 'alignItemsCenter' }}
        >
          <Content component="p" className="portal-answer">
            {agents.answer(catalog.data.skills.length, toolsIn(catalog.data), catalog.data.withheld?.length)}
          </Content>
          <ToggleGroup isCompact aria-label={agents.catalog}>
            <ToggleGroupItem text={agents.toRead} isSelected={!isJson} onChange={() => setJson(false)} />
            <ToggleGroupItem text={agents.asServed} isSelected={isJson} onChange={() => setJson(true)} />
          </ToggleGroup>
        </Flex>
      )}
      <AsOf last={now.data?.catalogVersion} />
      <Answer of={catalog}>
        {(found) =>
          isJson ? (
            <Code text={JSON.stringify(asServed(found), undefined, 2)} />
          ) : (
            <ToRead catalog={found} agentDefId={agentDefId} />
          )
        }
      </Answer>
    </div>
  );
}

function toolsIn({ skills }: EffectiveCatalog): number {
  return skills.reduce((sum, { tools }) => sum + tools.length, 0);
}

/** Without what administrators are shown besides. */
function asServed({ withheld: _, diagnostics: __, ...served }: EffectiveCatalog): object {
  return served;
}

function ToRead({
  catalog,
  agentDefId,
}: {
  readonly catalog: EffectiveCatalog;
  readonly agentDefId: string;
}) {
  const { agents } = useTexts();
  const { number } = useFormats();
  const { skills, withheld, catalogVersion, catalogHash, ttlSeconds } = catalog;
  return (
    <>
      {skills.length === 0 && (
        <Nothing
          title={agents.nothingGiven}
          action={<GoTo to={`/agents/${agentDefId}?tab=assignment`}>{agents.addSkills}</GoTo>}
        >
          {agents.nothingGivenMend}
        </Nothing>
      )}
      {skills.map((skill) => (
        <Card key={skill.skillId} isCompact>
          <CardTitle component="h2">
            <To to={`/skills/${skill.skillId}`}>{skill.name}</To> <Label isCompact>{skill.version}</Label>
          </CardTitle>
          <CardBody>
            <p className="portal-subtle">{skill.description}</p>
            <ExpandableSection toggleText={agents.instructions}>
              <pre className="portal-code">{skill.contentMarkdown}</pre>
            </ExpandableSection>
            <Tools tools={skill.tools} title={agents.toolsOf(skill.name)} />
          </CardBody>
        </Card>
      ))}
      {withheld === undefined ? (
        <Alert component="h2" isInline isPlain variant="info" title={agents.withheldHidden} />
      ) : (
        <Withheld items={withheld} agentDefId={agentDefId} />
      )}
      {withheld !== undefined && <Callable agentDefId={agentDefId} />}
      <ExpandableSection toggleText={agents.technical}>
        <Facts
          of={[
            [agents.catalogVersion, number(catalogVersion)],
            [agents.hash, <code key="hash">{catalogHash}</code>],
            [agents.ttl, agents.seconds(number(ttlSeconds))],
          ]}
        />
      </ExpandableSection>
    </>
  );
}

/** So many tools of a skill are shown at first: an agent may have thousands. */
const FEW = 20;

function Tools({
  title,
  tools,
}: {
  readonly title: string;
  readonly tools: EffectiveCatalog['skills'][number]['tools'];
}) {
  const { agents, access, tools: ofTools } = useTexts();
  const { number } = useFormats();
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <Table variant="compact" aria-label={title}>
        <Thead>
          <Tr>
            <Th width={20}>{agents.tool}</Th>
            <Th width={40}>{agents.description}</Th>
            <Th>{agents.access}</Th>
            <Th>{ofTools.tier}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {(isWhole ? tools : tools.slice(0, FEW)).map(
            ({ toolId, name, description, accessLevel, routingMetadata }) => (
              <Tr key={toolId}>
                <Td dataLabel={agents.tool}>
                  <To to={`/tools/${toolId}`}>{name}</To>
                </Td>
                <Td dataLabel={agents.description}>{description}</Td>
                <Td dataLabel={agents.access}>{access[accessLevel]}</Td>
                <Td dataLabel={ofTools.tier}>
                  <TierLabel tier={routingMetadata.sensitivityTier} />
                </Td>
              </Tr>
            ),
          )}
        </Tbody>
      </Table>
      {!isWhole && tools.length > FEW && (
        <Button variant="link" onClick={() => setWhole(true)}>
          {agents.allTools(number(tools.length))}
        </Button>
      )}
    </>
  );
}
