import { Bullseye, Modal, ModalBody, ModalHeader, Page, SkipToContent } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import type { Of } from '../api/client.ts';
import { SessionContext, sessionQuery } from '../api/session.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Header } from './header.tsx';
import { useLiveUpdates } from './live.ts';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { SignIn, SignInChoices } from './sign-in.tsx';

/** The whole page: who is not signed in is asked to, and everybody else sees the frame with a screen in it. */
export function Portal() {
  const { data, error, refetch } = useQuery(sessionQuery);
  const [lately, setLately] = useState<Of<'SignedIn'>>();
  if (data?.signedIn === true && data !== lately) setLately(data);
  if (data === undefined) {
    return (
      <main>
        <Bullseye>
          {error === null ? <Loading /> : <Failure error={error} retry={() => void refetch()} />}
        </Bullseye>
      </main>
    );
  }
  if (lately !== undefined) {
    return (
      <SessionContext value={lately}>
        <Frame />
      </SessionContext>
    );
  }
  return data.signedIn ? null : <SignIn session={data} />;
}

const mainId = 'portal-main';

function Frame() {
  const { shell, signIn } = useTexts();
  const { data } = useQuery(sessionQuery);
  useLiveUpdates(data?.signedIn === true);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Page
        masthead={
          <Header
            openPalette={() => {
              setOpen(true);
            }}
          />
        }
        sidebar={<Navigation />}
        skipToContent={
          <SkipToContent href={`#${mainId}`} onClick={skip}>
            {shell.skip}
          </SkipToContent>
        }
        mainContainerId={mainId}
        mainAriaLabel={shell.main}
        isManagedSidebar
        isContentFilled
      >
        <Outlet />
      </Page>
      <Palette isOpen={isOpen} setOpen={setOpen} />
      {data?.signedIn === false && (
        <Modal isOpen variant="small" aria-labelledby="ended">
          <ModalHeader labelId="ended" title={signIn.ended} description={signIn.endedLead} />
          <ModalBody>
            <SignInChoices session={data} inNewWindow />
          </ModalBody>
        </Modal>
      )}
    </>
  );
}

/** By hand: the page has a <base>, and `#…` alone would be an address under that. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById(mainId)?.focus();
}
