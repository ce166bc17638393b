import { Alert, Button, Checkbox, Flex, FlexItem, List, ListItem, TextInput } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiFault, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { ActionBar } from '../../parts/action-bar.tsx';
import { notify } from '../../parts/notices.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { needsReason } from './review/checks.tsx';

interface Given {
  readonly picked: readonly Of<'WaitingVersion'>[];
  readonly clear: () => void;
}

/** Evaluates versions that were chosen one after the other, or approves all of them as they were read, or none. */
export function PickedVersions({ picked, clear }: Given) {
  const { desk, review } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const [reason, setReason] = useState('');
  const [isAccepted, setAccepted] = useState(false);
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
  const approve = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/tool-versions/approve', {
          params: { path: { hostId } },
          body: {
            versions: picked.map(({ toolId, toolVersion: version, digest }) => ({ toolId, version, digest })),
            acceptsFindings: isAccepted,
            ...(reason.trim() !== '' && { override: { reason } }),
          },
        }),
      ),
    onSuccess: ({ items }) => {
      notify('success', desk.approved(number(items.length)));
      setReason('');
      clear();
    },
  });
  if (picked.length === 0) return null;
  const isBusy = evaluate.isPending || approve.isPending;
  return (
    <ActionBar title={desk.chosen}>
      {approve.error !== null && <Refused error={approve.error} picked={picked} />}
      {picked.some(({ needs }) => needs.includes('acceptance')) && (
        <Checkbox
          id="desk-accepts"
          label={review.acceptsFindings}
          isChecked={isAccepted}
          onChange={(_, checked) => setAccepted(checked)}
        />
      )}
      <Flex gap={{ default: 'gapSm' }}>
        {picked.some(needsReason) && (
          <FlexItem grow={{ default: 'grow' }}>
            <TextInput
              aria-label={desk.reason}
              placeholder={desk.reason}
              value={reason}
              onChange={(_, text) => setReason(text)}
            />
          </FlexItem>
        )}
        <Button isDisabled={isBusy} isLoading={approve.isPending} onClick={() => approve.mutate()}>
          {desk.approve(number(picked.length))}
        </Button>
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
        <Button variant="link" isDisabled={isBusy} onClick={clear}>
          {desk.clear}
        </Button>
      </Flex>
    </ActionBar>
  );
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
