import type { ReactNode } from 'react';

/** What can be done with what is chosen above: at the lower edge, where it moves nothing. */
export function ActionBar({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="region" aria-label={title} className="portal-bar portal-stack">
      {children}
    </div>
  );
}
