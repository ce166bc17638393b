import {
  Button,
  FormGroup,
  List,
  ListItem,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextArea,
  Title,
  ToolbarItem,
} from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { Moment } from '../../parts/moment.tsx';
import { notify } from '../../parts/notices.tsx';
import { FieldHelp } from '../../parts/text-field.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import { isAcceptable, keyOf, type Accepted, type Finding } from './findings.ts';

interface Given {
  readonly gatewayId: string;
  readonly selected: readonly Finding[];
  readonly done: () => void;
}

/** What can be done with the findings that are chosen: take over what the gateway lists, or say why it may stay. */
export function Settling({ gatewayId, selected, done }: Given) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  const accept = useAcceptance(gatewayId, done);
  const [isAsking, setAsking] = useState(false);
  const acceptable = selected.filter(isAcceptable);
  return (
    <>
      {acceptable.length > 0 && (
        <ToolbarItem>
          <Button
            isDisabled={accept.isPending}
            isLoading={accept.isPending}
            onClick={() => accept.mutate(acceptable)}
          >
            {gateways.accept(number(acceptable.length), acceptable.length)}
          </Button>
        </ToolbarItem>
      )}
      {selected.length > 0 && (
        <ToolbarItem>
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {gateways.dismiss(number(selected.length), selected.length)}
          </Button>
        </ToolbarItem>
      )}
      {isAsking && (
        <Why
          gatewayId={gatewayId}
          selected={selected}
          close={() => setAsking(false)}
          done={() => {
            setAsking(false);
            done();
          }}
        />
      )}
    </>
  );
}

/** Asks why the chosen findings may stay. */
function Why({ gatewayId, selected, done, close }: Given & { readonly close: () => void }) {
  const { gateways, records } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const [reason, setReason] = useState('');
  const dismissal = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/drift/dismiss', {
          params: { path: { hostId, gatewayId } },
          body: { reason, findings: namesOf(selected) },
        }),
      ),
    onSuccess: () => {
      notify('success', gateways.dismissed(number(selected.length), selected.length));
      done();
    },
  });
  return (
    <Modal isOpen onClose={close} variant="small" aria-labelledby="dismissal-title">
      <ModalHeader title={gateways.whyMayStay} labelId="dismissal-title" />
      <ModalBody>
        <p>{gateways.whatDismissing}</p>
        <FormGroup label={gateways.reasonToStay} fieldId="dismissal-reason" isRequired>
          <TextArea
            id="dismissal-reason"
            autoResize
            isRequired
            value={reason}
            aria-describedby="dismissal-reason-help"
            validated={dismissal.error === null ? 'default' : 'error'}
            onChange={(_, text) => setReason(text)}
          />
          <FieldHelp
            id="dismissal-reason"
            help={gateways.reasonToStayHelp}
            fault={dismissal.error?.message}
          />
        </FormGroup>
      </ModalBody>
      <ModalFooter>
        <Button
          isDisabled={reason.trim() === '' || dismissal.isPending}
          isLoading={dismissal.isPending}
          onClick={() => dismissal.mutate()}
        >
          {gateways.dismiss(number(selected.length), selected.length)}
        </Button>
        <Button variant="link" onClick={close}>
          {records.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

/** What may stay, why, and who has said so. */
export function Dismissed({
  gatewayId,
  found,
}: {
  readonly gatewayId: string;
  readonly found: readonly Finding[];
}) {
  const { gateways } = useTexts();
  const hostId = useHost();
  const reopening = useMutation({
    mutationFn: (finding: Finding) =>
      given(
        api.POST('/v1/hosts/{hostId}/gateways/{gatewayId}/drift/reopen', {
          params: { path: { hostId, gatewayId } },
          body: { findings: namesOf([finding]) },
        }),
      ),
    onSuccess: () => notify('success', gateways.reopened),
  });
  return (
    <section className="portal-section">
      <Title headingLevel="h2" size="md">
        {gateways.ofGrade.dismissed}
      </Title>
      <List isPlain>
        {found.map((each) => (
          <ListItem key={keyOf(each)}>
            <span className="portal-wrap">
              {each.toolName}: {gateways.findings[each.finding]} {each.version}
            </span>{' '}
            <Button
              variant="link"
              isInline
              aria-label={gateways.reopenOf(each.toolName)}
              isDisabled={reopening.isPending}
              onClick={() => reopening.mutate(each)}
            >
              {gateways.reopen}
            </Button>
            {each.dismissed !== undefined && (
              <div className="portal-subtle portal-wrap">
                {each.dismissed.reason} ({each.dismissed.by}, <Moment of={each.dismissed.at} />)
              </div>
            )}
          </ListItem>
        ))}
      </List>
    </section>
  );
}

function namesOf(findings: readonly Finding[]) {
  return findings.map(({ toolName, finding, version }) => ({
    ...{ toolName, finding: finding as Exclude<Finding['finding'], 'in_sync'> },
    ...(version !== undefined && { version }),
  }));
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
