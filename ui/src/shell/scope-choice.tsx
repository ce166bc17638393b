import {
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Popover,
  TextInput,
} from '@patternfly/react-core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, given, type Of } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';

/** What is worked on: a host, and, within the claims, one service and one environment, or all of them. */
export function ScopeChoice() {
  const { shell } = useTexts();
  const session = useSession();
  const summary = [
    ...(session.hosts.length > 1 ? [shortHost(session.host)] : []),
    session.sid ?? shell.allServices,
    session.env ?? shell.allEnvironments,
  ].join(' · ');
  return (
    <Popover
      headerContent={shell.scope}
      headerComponent="h2"
      bodyContent={(hide) => <Choice session={session} close={hide} />}
      minWidth="24rem"
    >
      <Button variant="plain" aria-label={shell.scopeIs(summary)}>
        {summary}
      </Button>
    </Popover>
  );
}

function Choice({ session, close }: { readonly session: Of<'SignedIn'>; readonly close: () => void }) {
  const { shell } = useTexts();
  const queries = useQueryClient();
  const [hostId, setHost] = useState(session.host);
  const [serviceId, setService] = useState(session.sid ?? '');
  const [envTag, setEnvironment] = useState(session.env ?? '');
  const choose = useMutation({
    // All is asked anew below.
    meta: { reads: true },
    mutationFn: () =>
      given(
        api.PUT('/session/choice', {
          body: {
            hostId,
            ...(serviceId === '' ? {} : { serviceId }),
            ...(envTag === '' ? {} : { envTag }),
          },
        }),
      ),
    onSuccess: async () => {
      close();
      await queries.resetQueries();
    },
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        choose.mutate();
      }}
    >
      <FormGroup label={shell.host} fieldId="scope-host">
        <FormSelect
          id="scope-host"
          value={hostId}
          onChange={(_, value) => {
            setHost(value);
          }}
        >
          {session.hosts.map((host) => (
            <FormSelectOption key={host} value={host} label={host} />
          ))}
        </FormSelect>
      </FormGroup>
      <FormGroup label={shell.service} fieldId="scope-service">
        <TextInput
          id="scope-service"
          value={serviceId}
          placeholder={shell.all}
          onChange={(_, value) => {
            setService(value);
          }}
        />
      </FormGroup>
      <FormGroup label={shell.environment} fieldId="scope-environment">
        <TextInput
          id="scope-environment"
          value={envTag}
          placeholder={shell.all}
          onChange={(_, value) => {
            setEnvironment(value);
          }}
        />
      </FormGroup>
      <Button type="submit" isLoading={choose.isPending}>
        {shell.choose}
      </Button>
    </Form>
  );
}

/** Ids are long, and their beginnings alike. */
function shortHost(host: string): string {
  return host.length > 16 ? `…${host.slice(-8)}` : host;
}
