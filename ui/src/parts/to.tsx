import { createLink, Link } from '@tanstack/react-router';
import { Button, type ButtonProps } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useMayGo } from '../api/session.ts';

/** A link to another screen. */
export function To({
  to,
  className,
  children,
}: {
  readonly to: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Link to={to} {...(className === undefined ? {} : { className })}>
      {children}
    </Link>
  );
}

/** A link to another screen that looks like a button; none to a screen whose work the reader may not do. */
export const GoTo = createLink(function Going({ href, ...rest }: ButtonProps & { readonly href?: string }) {
  const mayGo = useMayGo();
  return mayGo(href?.replace(/\?.*/, '') ?? '') && <Button component="a" href={href} {...rest} />;
});
