import { Button, Card, CardBody, CardTitle, Label, Switch } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useState } from 'react';
import type { Of } from '../../api/client.ts';
import { Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

type Run = Of<'Evaluation'>;
type Result = Run['results'][number];

/** Leads to the same prompt, tried as the run asked it. */
function Tried({ prompt, agent }: { readonly prompt: string; readonly agent: string | null }) {
  const search = new URLSearchParams({ prompt, ...(agent === null ? {} : { agent }) });
  return <To to={`/search?${search.toString()}`}>{prompt}</To>;
}

/** Which tool took the place of which. */
export function Confusions({ run: { confusions, agentDefId } }: { readonly run: Run }) {
  const { searching } = useTexts();
  const { number } = useFormats();
  if (confusions.length === 0) return null;
  return (
    <Card isCompact>
      <CardTitle component="h2">{searching.confusions}</CardTitle>
      <CardBody>
        <Table variant="compact" aria-label={searching.confusions}>
          <Thead>
            <Tr>
              <Th>{searching.expected}</Th>
              <Th>{searching.foundInstead}</Th>
              <Th>{searching.times}</Th>
              <Th width={45}>{searching.prompt}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {confusions.map(({ expected, found, times, prompt }) => (
              <Tr key={`${expected} ${found}`}>
                <Td dataLabel={searching.expected}>{expected}</Td>
                <Td dataLabel={searching.foundInstead}>{found}</Td>
                <Td dataLabel={searching.times}>{number(times)}</Td>
                <Td dataLabel={searching.prompt}>
                  <Tried prompt={prompt} agent={agentDefId} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </CardBody>
    </Card>
  );
}

const step = 50;

/** Every prompt of the run, or those alone for which another tool came first. */
export function Prompts({ run: { results, agentDefId } }: { readonly run: Run }) {
  const { searching } = useTexts();
  const { number } = useFormats();
  const [isWrongOnly, setWrongOnly] = useState(true);
  const [shown, setShown] = useState(step);
  const wanted = isWrongOnly ? results.filter(isWrong) : results;
  return (
    <Card isCompact>
      <CardTitle component="h2">{searching.results}</CardTitle>
      <CardBody>
        <Switch
          id="wrong-only"
          label={searching.wrongOnly}
          isChecked={isWrongOnly}
          onChange={(_, isOn) => setWrongOnly(isOn)}
        />
        {wanted.length === 0 ? (
          <Nothing title={searching.allRight} />
        ) : (
          <Table variant="compact" aria-label={searching.results}>
            <Thead>
              <Tr>
                <Th width={40}>{searching.prompt}</Th>
                <Th>{searching.expected}</Th>
                <Th>{searching.place}</Th>
                <Th>{searching.first}</Th>
              </Tr>
            </Thead>
            <Tbody>
              {wanted.slice(0, shown).map((result, index) => (
                <Tr key={`${String(index)} ${result.prompt}`}>
                  <Td dataLabel={searching.prompt}>
                    <Tried prompt={result.prompt} agent={agentDefId} />
                  </Td>
                  <Td dataLabel={searching.expected}>{result.expect.join(', ')}</Td>
                  <Td dataLabel={searching.place}>
                    {result.rank === null ? searching.notFound : number(result.rank)}
                    {result.forbidden.map((name) => (
                      <Label key={name} isCompact color="red">
                        {searching.mustNot(name)}
                      </Label>
                    ))}
                  </Td>
                  <Td dataLabel={searching.first}>{result.found.slice(0, 3).join(', ')}</Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        )}
        {wanted.length > shown && (
          <Button variant="link" onClick={() => setShown(shown + step)}>
            {searching.more(number(wanted.length - shown))}
          </Button>
        )}
      </CardBody>
    </Card>
  );
}

function isWrong({ rank, forbidden }: Result): boolean {
  return rank !== 1 || forbidden.length > 0;
}

/** Prompts of both runs whose first right tool stands elsewhere now: those that became worse first. */
export function Flips({ before, now }: { readonly before: Run; readonly now: Run }) {
  const { searching } = useTexts();
  const { number } = useFormats();
  const former = new Map(before.results.map((result) => [keyOf(result), result.rank]));
  const flips = now.results
    .flatMap((result) => {
      const was = former.get(keyOf(result));
      return was === undefined || was === result.rank ? [] : [{ ...result, was }];
    })
    .sort((one, other) => gainOf(one) - gainOf(other));
  const placeOf = (rank: number | null) => (rank === null ? searching.notFound : number(rank));
  if (flips.length === 0) return <Nothing title={searching.noFlips} />;
  return (
    <Table variant="compact" aria-label={searching.compare}>
      <Thead>
        <Tr>
          <Th width={45}>{searching.prompt}</Th>
          <Th>{searching.change}</Th>
          <Th>{searching.before}</Th>
          <Th>{searching.now}</Th>
        </Tr>
      </Thead>
      <Tbody>
        {flips.slice(0, 2 * step).map((flip) => (
          <Tr key={keyOf(flip)}>
            <Td dataLabel={searching.prompt}>
              <Tried prompt={flip.prompt} agent={now.agentDefId} />
            </Td>
            <Td dataLabel={searching.change}>
              <Label isCompact color={gainOf(flip) > 0 ? 'green' : 'red'}>
                {gainOf(flip) > 0 ? searching.better : searching.worse}
              </Label>
            </Td>
            <Td dataLabel={searching.before}>{placeOf(flip.was)}</Td>
            <Td dataLabel={searching.now}>{placeOf(flip.rank)}</Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function keyOf({ prompt, expect }: Result): string {
  return JSON.stringify([prompt, expect]);
}

/** Places are as good as one through them: from the second to the first counts more than from the tenth to the ninth. */
function gainOf({ was, rank }: Result & { readonly was: number | null }): number {
  return (rank === null ? 0 : 1 / rank) - (was === null ? 0 : 1 / was);
}
