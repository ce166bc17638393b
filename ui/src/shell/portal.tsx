import { Bullseye, Page, SkipToContent } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { workIn, type Of } from '../api/client.ts';
import { goesOn, SessionContext, sessionQuery, TakeSession, useSession } from '../api/session.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Header } from './header.tsx';
import { useLiveUpdates } from './live.ts';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { SessionDialog } from './session-dialog.tsx';
import { SignIn } from './sign-in.tsx';

/** The whole page: who is not signed in is asked to, and everybody else sees the frame with a screen in it. */
export function Portal() {
  const { data, error, refetch } = useQuery(sessionQuery);
  const [lately, take] = useState<Of<'SignedIn'>>();
  if (data?.signedIn === true && data !== lately && (lately === undefined || goesOn(data, lately)))
    take(data);
  useLayoutEffect(() => {
    if (lately !== undefined) workIn(lately);
  }, [lately]);
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
        <TakeSession value={take}>
          <Frame />
        </TakeSession>
      </SessionContext>
    );
  }
  return data.signedIn ? null : <SignIn session={data} />;
}

const mainId = 'portal-main';

function Frame() {
  const { shell } = useTexts();
  const session = useSession();
  const { data } = useQuery(sessionQuery);
  useLiveUpdates(data?.signedIn === true && goesOn(data, session));
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Page
        masthead={<Header openPalette={() => setOpen(true)} />}
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
      {data !== undefined && <SessionDialog found={data} />}
    </>
  );
}

/** By hand: the page has a <base>, and `#…` alone would be an address under that. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById(mainId)?.focus();
}
