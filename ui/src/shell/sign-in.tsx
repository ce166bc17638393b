import { Alert, Button, Card, CardBody, Stack, StackItem, Title } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { base, type Of } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import mark from './mark.svg';
import { Personas } from './personas.tsx';
import './sign-in.css';

/** Asked of whoever is not signed in: first what this is, then who they are. */
export function SignIn({ session }: { readonly session: Of<'SignedOut'> }) {
  const { product, signIn } = useTexts();
  useEffect(() => {
    document.title = `${signIn.title} · ${product}`;
  }, [signIn, product]);
  return (
    <main className="sign-in">
      <header className="portal-stack">
        <div className="sign-in-name">
          <img src={mark} alt="" height={44} width={44} />
          <Title headingLevel="h1" size="3xl">
            {product}
          </Title>
        </div>
        <p>{signIn.about}</p>
      </header>
      <Card>
        <CardBody>
          <SignInChoices session={session} />
        </CardBody>
      </Card>
    </main>
  );
}

/** So long may the address be that the service leads back to. */
const MAX_RETURN = 2000;

interface Given {
  readonly session: Of<'SignedOut'>;
  /** So that the page, with all that was typed into it, stays. */
  readonly inNewWindow?: boolean;
}

/** The ways to sign in that the service offers. */
export function SignInChoices({ session: { providers, developmentSignIn }, inNewWindow = false }: Given) {
  const { signIn } = useTexts();
  const queries = useQueryClient();
  useEffect(() => {
    if (!inNewWindow) return;
    const look = () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [inNewWindow, queries]);
  const back = encodeURIComponent(returnPath());
  return (
    <Stack hasGutter>
      {providers.map(({ id, name, start }) => (
        <StackItem key={id}>
          <Button
            component="a"
            isBlock
            href={withReturn(start, back)}
            {...(inNewWindow ? { target: '_blank' } : {})}
          >
            {signIn.by(name)}
          </Button>
        </StackItem>
      ))}
      {developmentSignIn && <Personas />}
      {providers.length === 0 && !developmentSignIn && (
        <Alert component="h2" variant="warning" isInline title={signIn.none}>
          {signIn.noneMend}
        </Alert>
      )}
    </Stack>
  );
}

/** Where to come back to, as the service takes it: without what is asked there, where that is too long. */
function returnPath(): string {
  const whole = location.href.slice(location.origin.length).replaceAll('\\', '%5C');
  return [whole, location.pathname].find(({ length }) => length <= MAX_RETURN) ?? new URL(base).pathname;
}

function withReturn(start: string, back: string): string {
  const address = new URL(start, `${base}/`).href;
  return `${address}${address.includes('?') ? '&' : '?'}returnTo=${back}`;
}
