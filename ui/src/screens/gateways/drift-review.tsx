import {
  Alert,
  Button,
  Checkbox,
  ExpandableSection,
  Flex,
  Stack,
  StackItem,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ChoiceFilter } from '../../parts/filters.tsx';
import { Diff } from '../../parts/diff.tsx';
import { Facts } from '../../parts/facts.tsx';
import { GradeLabel } from '../../parts/labels.tsx';
import { notify } from '../../parts/notices.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { Answer, Nothing } from '../../parts/states.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';

type Finding = Of<'GatewayDrift'>['items'][number];
type Accepted = Of<'AcceptGatewayDriftRequest'>['findings'][number];

/** What can be taken over into the catalog; the rest is mended at its place. */
const accepts: Readonly<Record<Accepted['finding'], true>> = {
  missing_from_gateway: true,
  not_in_catalog: true,
  schema_changed: true,
  description_changed: true,
  annotations_changed: true,
  inactive_in_catalog: true,
};
const isAcceptable = ({ finding }: Finding): boolean => finding in accepts;

/** A tool may have several findings. */
const keyOf = ({ toolName, finding, version = '' }: Finding): string => `${toolName} ${finding} ${version}`;

/** Asks the gateway now, and shows what it lists otherwise than the catalog has it. Asking keeps nothing; accepting does. */
export function DriftReview({ gatewayId }: { readonly gatewayId: string }) {
  const hostId = useHost();
  const drift = useQuery({
    queryKey: ['drift', hostId, gatewayId],
    queryFn: () =>
      given(
        api.GET('/v1/hosts/{hostId}/gateways/{gatewayId}/drift', { params: { path: { hostId, gatewayId } } }),
      ),
    retry: false,
  });
  return <Answer of={drift}>{(found) => <Findings drift={found} ask={() => void drift.refetch()} />}</Answer>;
}

function Findings({ drift, ask }: { readonly drift: Of<'GatewayDrift'>; readonly ask: () => void }) {
  const { gateways, records } = useTexts();
  const { moment, number } = useFormats();
  const [{ finding: chosenFinding }, set] = useSearchState();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const different = drift.items.filter(({ finding }) => finding !== 'in_sync');
  const shown = different.filter(({ finding }) => chosenFinding === undefined || finding === chosenFinding);
  const selected = shown.filter((each) => chosen.has(keyOf(each)) && isAcceptable(each));
  const accept = useAcceptance(drift.gatewayId, () => setChosen(new Set()));
  const kinds = Object.fromEntries(
    [...new Set(different.map(({ finding }) => finding))].map((kind) => [kind, gateways.findings[kind]]),
  );
  const choose = (keys: readonly string[], isChosen: boolean) =>
    setChosen(
      (before) => new Set(isChosen ? [...before, ...keys] : [...before].filter((k) => !keys.includes(k))),
    );
  return (
    <>
      <Toolbar>
        <ToolbarContent>
          <ChoiceFilter
            {...{ name: 'finding', label: gateways.finding, value: chosenFinding, set, choices: kinds }}
          />
          <ToolbarItem>
            <Button variant="secondary" onClick={ask}>
              {gateways.askAgain}
            </Button>
          </ToolbarItem>
          <ToolbarItem>
            <Button
              isDisabled={selected.length === 0 || accept.isPending}
              isLoading={accept.isPending}
              onClick={() => accept.mutate(selected)}
            >
              {gateways.accept(number(selected.length))}
            </Button>
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      <p className="portal-subtle" aria-live="polite">
        {gateways.asked(moment(drift.checkedAt), number(drift.items.length), number(different.length))}
      </p>
      {different.length === 0 ? (
        <Nothing title={gateways.inSync}>{gateways.inSyncLead}</Nothing>
      ) : (
        <Stack hasGutter>
          <StackItem>
            <Checkbox
              id="all-findings"
              label={records.selectAll}
              isChecked={shown.length > 0 && shown.every((each) => chosen.has(keyOf(each)))}
              onChange={(_, isChosen) => choose(shown.map(keyOf), isChosen)}
            />
          </StackItem>
          {shown.map((each) => (
            <StackItem key={keyOf(each)}>
              <OneFinding
                finding={each}
                isChosen={chosen.has(keyOf(each))}
                choose={(isChosen) => choose([keyOf(each)], isChosen)}
              />
            </StackItem>
          ))}
        </Stack>
      )}
    </>
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
      notify('success', gateways.accepted(number(items.length)));
    },
  });
}

interface Shown {
  readonly finding: Finding;
  readonly isChosen: boolean;
  readonly choose: (isChosen: boolean) => void;
}

function OneFinding({ finding: found, isChosen, choose }: Shown) {
  const { gateways } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const {
    toolName,
    toolId,
    finding,
    grade,
    version,
    skills = [],
    before,
    after,
    reason,
    details = [],
  } = found;
  const canAccept = isAcceptable(found);
  return (
    <div className="portal-stack">
      <Flex alignItems={{ default: 'alignItemsCenter' }} gap={{ default: 'gapSm' }}>
        <Checkbox
          id={keyOf(found)}
          label={`${toolName}: ${gateways.findings[finding]}`}
          isDisabled={!canAccept}
          isChecked={isChosen && canAccept}
          onChange={(_, isNowChosen) => choose(isNowChosen)}
        />
        {grade !== undefined && <GradeLabel grade={grade} />}
        {toolId !== undefined && <To to={`/tools/${toolId}`}>{gateways.show}</To>}
      </Flex>
      <ExpandableSection
        toggleText={gateways.detailsOf(toolName)}
        isExpanded={isOpen}
        onToggle={(_, isNowOpen) => setOpen(isNowOpen)}
      >
        {isOpen && (
          <>
            <Alert isInline isPlain component="h3" variant="info" title={gateways.means[finding]} />
            {(version !== undefined || skills.length > 0 || reason !== undefined || details.length > 0) && (
              <Facts
                of={[
                  ...(version === undefined ? [] : [[gateways.version, version] as const]),
                  ...(skills.length === 0 ? [] : [[gateways.skills, skills.join(', ')] as const]),
                  ...(reason === undefined ? [] : [[gateways.reason, reason] as const]),
                  ...(details.length === 0 ? [] : [[gateways.more, details.join('; ')] as const]),
                ]}
              />
            )}
            {(before !== undefined || after !== undefined) && <Diff before={before} after={after} />}
          </>
        )}
      </ExpandableSection>
    </div>
  );
}
