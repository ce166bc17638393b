import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, given, type Of } from '../api/client.ts';
import { goesOn, sessionQuery, useSession, useTakeOver } from '../api/session.ts';
import { Loading } from '../parts/states.tsx';
import { useTexts } from '../texts/texts.tsx';
import { SignInChoices } from './sign-in.tsx';

/** Asks how to go on where the session of the page has ended, or another one is there. The page below keeps what was typed. */
export function SessionDialog({ found }: { readonly found: Of<'Session'> }) {
  const { other, ended, endedLead } = useTexts().signIn;
  const before = useSession();
  if (found.signedIn && goesOn(found, before)) return null;
  const isSame = found.signedIn && found.subject === before.subject;
  // Has signed in once more, and not chosen something else in another window.
  const isAgain = isSame && found.csrf !== before.csrf;
  const isOther = found.signedIn && !isAgain;
  const otherLead = isOther && !isSame ? other.user(found.name, before.name) : other.place;
  return (
    <Modal isOpen variant="small" aria-labelledby="session">
      <ModalHeader
        labelId="session"
        title={isOther ? other.title : ended}
        description={isOther ? otherLead : endedLead}
      />
      {found.signedIn ? (
        <OtherSession key={found.csrf} {...{ found, isSame, isAgain }} />
      ) : (
        <ModalBody>
          <SignInChoices session={found} inNewWindow />
        </ModalBody>
      )}
    </Modal>
  );
}

interface Given {
  readonly found: Of<'SignedIn'>;
  readonly isSame: boolean;
  readonly isAgain: boolean;
}

/** To work on the same as before, as whoever signs in again does by itself; to take what there is; and to be somebody else. */
function OtherSession({ found, isSame, isAgain }: Given) {
  const { shell, signIn } = useTexts();
  const queries = useQueryClient();
  const takeOver = useTakeOver();
  const headers = { 'x-csrf-token': found.csrf };
  const { host: hostId, sid: serviceId, env: envTag } = useSession();
  const { mutate, error } = useMutation({
    meta: { quiet: true, reads: true },
    mutationFn: () => given(api.PUT('/session/choice', { headers, body: { hostId, serviceId, envTag } })),
    onSuccess: takeOver,
  });
  const leave = useMutation({
    meta: { reads: true },
    mutationFn: () => given(api.POST('/session/logout', { headers })),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  useEffect(() => {
    if (isAgain) mutate();
  }, [isAgain, mutate]);
  return (
    <>
      {(isAgain || error !== null) && (
        <ModalBody>
          {error === null && <Loading />}
          {error !== null && (
            <Alert component="h2" isInline variant="danger" title={signIn.other.refused}>
              {error.message}
            </Alert>
          )}
        </ModalBody>
      )}
      <ModalFooter>
        {isSame && <Button onClick={() => mutate()}>{signIn.other.stay}</Button>}
        <Button variant="secondary" onClick={() => void takeOver(found)}>
          {signIn.other.go(found.name)}
        </Button>
        <Button variant="link" onClick={() => leave.mutate()}>
          {shell.signOut}
        </Button>
      </ModalFooter>
    </>
  );
}
