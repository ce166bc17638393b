import { Card, CardBody, CardTitle, Stack, StackItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost, useMay } from '../../api/session.ts';
import { Screen } from '../../parts/screen.tsx';
import { Answer } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { FirstSteps, stepsDone } from './steps.tsx';
import { Waiting } from './waiting.tsx';
import './home.css';

/** What waits or is broken, each with its way to mend it; where the catalog is not at work yet, the steps to that. */
export default function Home() {
  const { home } = useTexts();
  const hostId = useHost();
  // The steps are for those who may take them.
  const mayWrite = useMay('catalog:write', 'catalog:admin');
  const mayConnect = useMay('catalog:admin');
  const overview = useQuery({
    queryKey: ['overview', hostId],
    queryFn: () =>
      given(api.GET('/v1/hosts/{hostId}/diagnostics/overview', { params: { path: { hostId } } })),
  });
  return (
    <Screen title={home.title} lead={home.lead}>
      <Answer of={overview}>
        {(found) => {
          const { exposed, ...mine } = stepsDone(found);
          const isBegun = found.counts.endpoints + found.counts.tools > 0;
          const isDone = Object.values(mine).every(Boolean) && (exposed || !mayConnect);
          const isAtWork = !mayWrite || isDone;
          return (
            <Stack hasGutter>
              {!isAtWork && (
                <StackItem>
                  <FirstSteps overview={found} />
                </StackItem>
              )}
              {(isBegun || !mayWrite) && (
                <StackItem>
                  <div className="home-panes">
                    <Waiting overview={found} isAtWork={isAtWork} />
                    <Counts counts={found.counts} />
                  </div>
                </StackItem>
              )}
            </Stack>
          );
        }}
      </Answer>
    </Screen>
  );
}

const places = {
  endpoints: '/endpoints',
  tools: '/tools',
  skills: '/skills',
  agents: '/agents',
  gateways: '/gateways',
} as const;

function Counts({ counts }: { readonly counts: Of<'Overview'>['counts'] }) {
  const { home } = useTexts();
  const { number } = useFormats();
  return (
    <Card isCompact>
      <CardTitle component="h2">{home.catalog}</CardTitle>
      <CardBody>
        <ul className="home-counts">
          {(Object.keys(places) as (keyof typeof places)[]).map((kind) => (
            <li key={kind}>
              <To to={places[kind]}>
                {`${number(counts[kind])} ${home.counts[kind](counts[kind])}`}
                {kind === 'endpoints' && ` ${home.ofApis(number(counts.apis), counts.apis)}`}
              </To>
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  );
}
