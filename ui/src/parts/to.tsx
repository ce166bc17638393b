import { createLink, Link } from '@tanstack/react-router';
import { Button, type ButtonProps } from '@patternfly/react-core';
import type { ReactNode } from 'react';

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

/** A link to another screen that looks like a button. */
export const GoTo = createLink(({ href, ...rest }: ButtonProps & { readonly href?: string }) => (
  <Button component="a" href={href} {...rest} />
));
