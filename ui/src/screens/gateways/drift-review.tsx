import { Button, Checkbox, Title, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter } from '../../parts/filters.tsx';
import { notify } from '../../parts/notices.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { OneFinding } from './finding.tsx';
import { byGrade, isAcceptable, keyOf, type Accepted, type Finding, type Graded } from './findings.ts';

/** Asks the gateway now, and shows what it lists otherwise than the catalog has it. Asking keeps nothing; accepting does. */
export function DriftReview({
  gatewayId,
  isOwn,
}: {
  readonly gatewayId: string;
  /** Whether the service itself serves it: then it lists what the catalog exposes, whatever that is. */
  readonly isOwn: boolean;
}) {
  const { gateways } = useTexts();
  const hostId = useHost();
  const drift = useQuery({
    queryKey: ['drift', hostId, gatewayId],
    enabled: !isOwn,
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}/drift', { params: { path: { hostId, gatewayId } } }),
      ),
    retry: false,
  });
  if (isOwn) return <Nothing title={gateways.noDriftOfOwn}>{gateways.noDriftOfOwnLead}</Nothing>;
  return <Answer of={drift}>{(found) => <Findings drift={found} ask={() => void drift.refetch()} />}</Answer>;
}

function Findings({ drift, ask }: { readonly drift: Of<'GatewayDrift'>; readonly ask: () => void }) {
  const { gateways } = useTexts();
  const { moment, number } = useFormats();
  const [{ finding: wanted }, set] = useSearchState();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const different = drift.items.filter(({ finding }) => finding !== 'in_sync');
  const shown = different.filter(({ finding }) => wanted === undefined || finding === wanted);
  const selected = shown.filter((each) => chosen.has(keyOf(each)) && isAcceptable(each));
  const accept = useAcceptance(drift.gatewayId, () => setChosen(new Set()));
  const kinds = Object.fromEntries(
    [...new Set(different.map(({ finding }) => finding))].map((kind) => [kind, gateways.findings[kind]]),
  );
  const choose = (found: readonly Finding[], isChosen: boolean) => {
    const keys = found.filter(isAcceptable).map(keyOf);
    setChosen(
      (before) => new Set(isChosen ? [...before, ...keys] : [...before].filter((k) => !keys.includes(k))),
    );
  };
  return (
    <>
      <p aria-live="polite">
        {different.length === 0
          ? gateways.allInSync(moment(drift.checkedAt), number(drift.items.length))
          : gateways.asked(moment(drift.checkedAt), number(drift.items.length), number(different.length))}
      </p>
      <Toolbar>
        <ToolbarContent>
          {different.length > 0 && (
            <ChoiceFilter
              {...{ name: 'finding', label: gateways.finding, value: wanted, set, choices: kinds }}
            />
          )}
          <ToolbarItem>
            <Button variant="secondary" onClick={ask}>
              {gateways.askAgain}
            </Button>
          </ToolbarItem>
          {selected.length > 0 && (
            <ToolbarItem>
              <Button
                isDisabled={accept.isPending}
                isLoading={accept.isPending}
                onClick={() => accept.mutate(selected)}
              >
                {gateways.accept(number(selected.length), selected.length)}
              </Button>
            </ToolbarItem>
          )}
        </ToolbarContent>
      </Toolbar>
      {different.length === 0 ? (
        <Nothing title={gateways.inSync}>{gateways.inSyncLead}</Nothing>
      ) : (
        byGrade(shown).map(([grade, found]) => <OfGrade key={grade} {...{ grade, found, chosen, choose }} />)
      )}
    </>
  );
}

interface Chosen {
  readonly grade: Graded;
  readonly found: readonly Finding[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (found: readonly Finding[], isChosen: boolean) => void;
}

/** Findings that weigh the same; all that can be accepted are chosen by one box. */
function OfGrade({ grade, found, chosen, choose }: Chosen) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const acceptable = found.filter(isAcceptable);
  const marked = acceptable.filter((each) => chosen.has(keyOf(each))).length;
  return (
    <section className="portal-section">
      <div className="portal-stack">
        <Title headingLevel="h2" size="md">
          {gateways.ofGrade[grade]}
        </Title>
        {acceptable.length > 1 && (
          <Checkbox
            id={`all-of-${grade}`}
            label={gateways.chooseGrade(number(acceptable.length))}
            isChecked={marked === acceptable.length ? true : marked === 0 ? false : null}
            onChange={(_, isChosen) => choose(acceptable, isChosen)}
          />
        )}
        {found.map((each) => (
          <OneFinding
            key={keyOf(each)}
            finding={each}
            isChosen={chosen.has(keyOf(each))}
            choose={(isChosen) => choose([each], isChosen)}
          />
        ))}
      </div>
    </section>
  );
}

/** Accepts findings, all of them or none. */
function useAcceptance(gatewayId: string, done: () => void) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  return useMutation({
    mutationFn: (findings: readonly Finding[]) =>
      given(
        api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/drift/accept', {
          params: { path: { hostId, gatewayId } },
          body: {
            findings: findings.map(({ toolName, finding }) => ({
              toolName,
              finding: finding as Accepted['finding'],
            })),
          },
        }),
      ),
    onSuccess: ({ items }) => {
      done();
      notify('success', gateways.accepted(number(items.length), items.length));
    },
  });
}
