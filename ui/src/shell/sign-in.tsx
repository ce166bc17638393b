import { Alert, Button, Content, LoginPage, Stack, StackItem } from '@patternfly/react-core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, base, given, type Of } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { useTexts } from '../texts/texts.tsx';
import mark from './mark.svg';

/** Asked of whoever is not signed in. */
export function SignIn({ session }: { readonly session: Of<'SignedOut'> }) {
  const { product, signIn } = useTexts();
  return (
    <LoginPage
      brandImgSrc={mark}
      brandImgAlt=""
      loginTitle={signIn.title}
      loginSubtitle={product}
      textContent={signIn.about}
    >
      <SignInChoices session={session} />
    </LoginPage>
  );
}

interface Given {
  readonly session: Of<'SignedOut'>;
  /** So that the page, with all that was typed into it, stays. */
  readonly inNewWindow?: boolean;
}

/** The ways to sign in that the service offers. */
export function SignInChoices({ session: { providers, developmentSignIn }, inNewWindow = false }: Given) {
  const { signIn } = useTexts();
  const queries = useQueryClient();
  const develop = useMutation({
    mutationFn: () => given(api.POST('/session/development', { body: {} })),
    onSuccess: () => queries.invalidateQueries(),
  });
  useEffect(() => {
    if (!inNewWindow) return;
    const look = () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    addEventListener('focus', look);
    return () => {
      removeEventListener('focus', look);
    };
  }, [inNewWindow, queries]);
  const back = encodeURIComponent(location.href.slice(new URL(base).origin.length));
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
      {developmentSignIn && (
        <StackItem>
          <Button
            isBlock
            isLoading={develop.isPending}
            onClick={() => {
              develop.mutate();
            }}
          >
            {signIn.development}
          </Button>
          <Content component="small">{signIn.developmentLead}</Content>
        </StackItem>
      )}
      {providers.length === 0 && !developmentSignIn && (
        <Alert component="h2" variant="warning" isInline title={signIn.none}>
          {signIn.noneMend}
        </Alert>
      )}
    </Stack>
  );
}

function withReturn(start: string, back: string): string {
  const address = new URL(start, `${base}/`).href;
  return `${address}${address.includes('?') ? '&' : '?'}returnTo=${back}`;
}
