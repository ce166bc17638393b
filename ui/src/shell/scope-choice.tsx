import {
  Button,
  Form,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Popover,
  TextInput,
} from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useRouter, type RouterHistory } from '@tanstack/react-router';
import { useState } from 'react';
import { api, base, given, type Of } from '../api/client.ts';
import { useSession, useTakeOver } from '../api/session.ts';
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
  const takeOver = useTakeOver();
  const navigate = useNavigate();
  const { history } = useRouter() as { readonly history: RouterHistory };
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
    onSuccess: (found) => {
      close();
      return takeOver(found);
    },
  });
  /** No record of this host is one of another: its page is left, if what is typed into it may be. */
  const send = async (): Promise<void> => {
    if (hostId !== session.host) {
      if (!(await mayGoHome(history))) return;
      await navigate({ to: '/', ignoreBlocker: true });
    }
    choose.mutate();
  };
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <FormGroup label={shell.host} fieldId="scope-host">
        <FormSelect id="scope-host" value={hostId} onChange={(_, value) => setHost(value)}>
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
          onChange={(_, value) => setService(value)}
        />
      </FormGroup>
      <FormGroup label={shell.environment} fieldId="scope-environment">
        <TextInput
          id="scope-environment"
          value={envTag}
          placeholder={shell.all}
          onChange={(_, value) => setEnvironment(value)}
        />
      </FormGroup>
      <Button type="submit" isLoading={choose.isPending}>
        {shell.choose}
      </Button>
    </Form>
  );
}

/** Asks what would be asked on the way to the first page. */
async function mayGoHome(history: RouterHistory): Promise<boolean> {
  const { location } = history;
  const nextLocation = { ...location, pathname: new URL(base).pathname };
  for (const { blockerFn } of history._getBlockers())
    if (await blockerFn({ currentLocation: location, nextLocation, action: 'PUSH' })) return false;
  return true;
}

/** Ids are long, and their beginnings alike. */
function shortHost(host: string): string {
  return host.length > 16 ? `…${host.slice(-8)}` : host;
}
