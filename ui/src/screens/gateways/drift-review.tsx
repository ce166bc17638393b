import { Button, Checkbox, Title, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter } from '../../parts/filters.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { OneFinding } from './finding.tsx';
import { byGrade, isOpen, keyOf, type Finding, type Graded } from './findings.ts';
import { Dismissed, Settling } from './settling.tsx';

/** Asks the gateway now, and shows what it lists otherwise than the catalog has it. Asking keeps nothing; accepting does. */
export function DriftReview({
  gatewayId,
  isOwn,
}: {
  readonly gatewayId: string;
  /** Whether the service itself serves it: then it lists what the catalog exposes, whatever that is. Undefined until that is known. */
  readonly isOwn: boolean | undefined;
}) {
  const { gateways } = useTexts();
  const hostId = useHost();
  const drift = useQuery({
    queryKey: ['drift', hostId, gatewayId],
    enabled: isOwn === false,
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}/drift', { params: { path: { hostId, gatewayId } } }),
      ),
    retry: false,
  });
  if (isOwn === true) return <Nothing title={gateways.noDriftOfOwn}>{gateways.noDriftOfOwnLead}</Nothing>;
  return <Answer of={drift}>{(found) => <Findings drift={found} ask={() => void drift.refetch()} />}</Answer>;
}

function Findings({ drift, ask }: { readonly drift: Of<'GatewayDrift'>; readonly ask: () => void }) {
  const { gateways } = useTexts();
  const [{ finding: wanted }, set] = useSearchState();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const different = drift.items.filter(({ finding }) => finding !== 'in_sync');
  const shown = different.filter(({ finding }) => wanted === undefined || finding === wanted);
  const selected = shown.filter((each) => chosen.has(keyOf(each)) && isOpen(each));
  const kinds = Object.fromEntries(
    [...new Set(different.map(({ finding }) => finding))].map((kind) => [kind, gateways.findings[kind]]),
  );
  const choose = (found: readonly Finding[], isChosen: boolean) => {
    const keys = found.map(keyOf);
    setChosen(
      (before) => new Set(isChosen ? [...before, ...keys] : [...before].filter((k) => !keys.includes(k))),
    );
  };
  return (
    <>
      <p aria-live="polite">
        <Summary drift={drift} />
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
          <Settling gatewayId={drift.gatewayId} selected={selected} done={() => setChosen(new Set())} />
        </ToolbarContent>
      </Toolbar>
      {different.length === 0 ? (
        <Nothing title={gateways.inSync}>{gateways.inSyncLead}</Nothing>
      ) : (
        byGrade(shown).map(([grade, found]) =>
          grade === 'dismissed' ? (
            <Dismissed key={grade} gatewayId={drift.gatewayId} found={found} />
          ) : (
            <OfGrade key={grade} {...{ grade, found, chosen, choose }} />
          ),
        )
      )}
    </>
  );
}

/** When it was asked, and how much differs. */
function Summary({ drift: { items, checkedAt } }: { readonly drift: Of<'GatewayDrift'> }) {
  const { gateways } = useTexts();
  const { moment, number } = useFormats();
  const open = items.filter(isOpen).length;
  const dismissed = items.filter((each) => each.dismissed !== undefined).length;
  const when = moment(checkedAt);
  if (open === 0 && dismissed === 0) return gateways.allInSync(when, number(items.length));
  return gateways.asked(when, number(open), dismissed === 0 ? undefined : number(dismissed));
}

interface Chosen {
  readonly grade: Graded;
  readonly found: readonly Finding[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (found: readonly Finding[], isChosen: boolean) => void;
}

/** Findings that weigh the same; all are chosen by one box. */
function OfGrade({ grade, found, chosen, choose }: Chosen) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const marked = found.filter((each) => chosen.has(keyOf(each))).length;
  return (
    <section className="portal-section">
      <div className="portal-stack">
        <Title headingLevel="h2" size="md">
          {gateways.ofGrade[grade]}
        </Title>
        {found.length > 1 && (
          <Checkbox
            id={`all-of-${grade}`}
            label={gateways.chooseGrade(number(found.length))}
            isChecked={marked === found.length ? true : marked === 0 ? false : null}
            onChange={(_, isChosen) => choose(found, isChosen)}
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
