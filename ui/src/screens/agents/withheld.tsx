import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { EffectiveCatalog } from '../../parts/effective-catalog.ts';
import { Mend, useReasons } from '../../parts/reasons.tsx';
import { To } from '../../parts/to.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Items = NonNullable<EffectiveCatalog['withheld']>;

/** What the agent's skills offer and it is not given: why, and where that is mended. */
export function Withheld({ items, agentDefId }: { readonly items: Items; readonly agentDefId: string }) {
  const { agents } = useTexts();
  const wordsOf = useReasons();
  return (
    <Card isCompact>
      <CardTitle component="h2">{agents.withheld}</CardTitle>
      <CardBody>
        {items.length === 0 ? (
          agents.nothingWithheld
        ) : (
          <Table variant="compact" aria-label={agents.withheld}>
            <Thead>
              <Tr>
                <Th width={20}>{agents.what}</Th>
                <Th>{agents.reason}</Th>
                <Th width={15}>{agents.mend}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {items.map(({ skillId, toolId, toolName, reason, detail }) => (
                <Tr key={`${skillId} ${toolId ?? ''} ${reason}`}>
                  <Td dataLabel={agents.what}>
                    {toolId === undefined ? (
                      <To to={`/skills/${skillId}`}>{agents.wholeSkill}</To>
                    ) : (
                      <del>
                        <To to={`/tools/${toolId}`}>{toolName ?? toolId}</To>
                      </del>
                    )}
                  </Td>
                  <Td dataLabel={agents.reason}>
                    {wordsOf(reason)}
                    <div className="portal-subtle">{detail}</div>
                  </Td>
                  <Td dataLabel={agents.mend}>
                    <Mend {...{ reason, agentDefId, skillId, toolId }} />
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        )}
      </CardBody>
    </Card>
  );
}
