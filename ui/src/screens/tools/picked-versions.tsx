import { Alert, Button, Checkbox, Flex, FlexItem, List, ListItem, TextInput } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiFault, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ActionBar } from '../../parts/action-bar.tsx';
import { ForWriters } from '../../parts/for-writers.tsx';
import { notify } from '../../parts/notices.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { isBarred, needsReason } from './review/checks.tsx';

interface Given {
  readonly picked: readonly Of<'WaitingVersion'>[];
  readonly clear: () => void;
}

/** What is done with versions that were chosen. What is said of them is of these: the next ones begin anew. */
export function PickedVersions({ picked, clear }: Given) {
  return picked.length > 0 && <Picked {...{ picked, clear }} />;
}

/** Evaluates versions one after the other, or approves all of them as they were read, or none. */
function Picked({ picked, clear }: Given) {
  const { desk, review } = useTexts();
  const { number } = useFormats();
  const [reason, setReason] = useState('');
  const [isAccepted, setAccepted] = useState(false);
  const barred = picked.filter(isBarred);
  const takesReason = barred.length === 0 && picked.some(needsReason);
  const takesAcceptance = barred.length === 0 && picked.some(({ needs }) => needs.includes('acceptance'));
  const { done, evaluate } = useEvaluation({ picked, clear });
  const approve = useApproval({ picked, clear });
  const isBusy = evaluate.isPending || approve.isPending;
  // Nothing is sent that is not shown.
  const said: Said = {
    ...(takesAcceptance && { acceptsFindings: isAccepted }),
    ...(takesReason && reason.trim() !== '' && { override: { reason } }),
  };
  return (
    <ActionBar title={desk.chosen}>
      {approve.error !== null && <Refused error={approve.error} picked={picked} />}
      {barred.length > 0 && (
        <p>{desk.barred(barred.map(({ name, toolVersion }) => `${name} ${toolVersion}`).join(', '))}</p>
      )}
      {takesAcceptance && (
        <Checkbox
          id="desk-accepts"
          label={review.acceptsFindings}
          isChecked={isAccepted}
          onChange={(_, checked) => setAccepted(checked)}
        />
      )}
      <Flex gap={{ default: 'gapSm' }}>
        {takesReason && (
          <FlexItem grow={{ default: 'grow' }}>
            <TextInput
              aria-label={desk.reason}
              placeholder={desk.reason}
              value={reason}
              onChange={(_, text) => setReason(text)}
            />
          </FlexItem>
        )}
        <Button
          isDisabled={isBusy || barred.length > 0}
          isLoading={approve.isPending}
          onClick={() => approve.mutate(said)}
        >
          {desk.approve(number(picked.length))}
        </Button>
        <ForWriters>
          <Button
            variant="secondary"
            isDisabled={isBusy}
            isLoading={evaluate.isPending}
            onClick={() => evaluate.mutate()}
          >
            {evaluate.isPending
              ? desk.evaluating(number(done), number(picked.length))
              : desk.evaluate(number(picked.length))}
          </Button>
        </ForWriters>
        <Button variant="link" isDisabled={isBusy} onClick={clear}>
          {desk.clear}
        </Button>
      </Flex>
    </ActionBar>
  );
}

/** One after the other, and how many are done. */
function useEvaluation({ picked, clear }: Given) {
  const hostId = useHost();
  const [done, setDone] = useState(0);
  const evaluate = useMutation({
    mutationFn: async () => {
      setDone(0);
      for (const { toolId, toolVersion: version } of picked) {
        const params = { path: { hostId, toolId, version } };
        await given(
          api.POST('/v1/hosts/{hostId}/tools/{toolId}/versions/{version}/evaluate', { params, body: {} }),
        );
        setDone((before) => before + 1);
      }
    },
    onSuccess: clear,
  });
  return { done, evaluate };
}

/** What is said for an approval beside the versions. */
interface Said {
  readonly acceptsFindings?: boolean;
  readonly override?: { readonly reason: string };
}

/** Of all at once, as they were read. */
function useApproval({ picked, clear }: Given) {
  const { desk } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  return useMutation({
    meta: { quiet: true },
    mutationFn: (said: Said) =>
      given(
        api.POST('/v1/hosts/{hostId}/tool-versions/approve', {
          params: { path: { hostId } },
          body: {
            versions: picked.map(({ toolId, toolVersion: version, digest }) => ({ toolId, version, digest })),
            ...said,
          },
        }),
      ),
    onSuccess: ({ items }) => {
      const isGiven = picked.some(({ reach }) => reach.agents > 0);
      notify('success', desk.approved(number(items.length), isGiven));
      clear();
    },
  });
}

/** Why none was approved, version by version. */
function Refused({ error, picked }: { readonly error: Error; readonly picked: Given['picked'] }) {
  const faults = error instanceof ApiFault ? error.faults : [];
  return (
    <Alert component="h2" isInline variant="danger" title={error.message}>
      <List>
        {faults.map(({ pointer, detail }) => {
          const version = picked[Number(/^\/versions\/(\d+)/.exec(pointer)?.[1])];
          return (
            <ListItem key={pointer}>
              {version && `${version.name} ${version.toolVersion}: `}
              {detail}
            </ListItem>
          );
        })}
      </List>
    </Alert>
  );
}
