import { Alert, AlertActionCloseButton, AlertGroup } from '@patternfly/react-core';
import { useSyncExternalStore } from 'react';

interface Notice {
  readonly id: number;
  readonly kind: 'success' | 'danger' | 'info' | 'warning';
  readonly title: string;
}

let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

function show(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** Says something that passes by, at the edge of the page. */
export function notify(kind: Notice['kind'], title: string): void {
  show([...notices.filter((notice) => notice.title !== title).slice(-3), { id: (last += 1), kind, title }]);
}

/** What failed on one page is no news on the next. */
export function forgetFaults(): void {
  show(notices.filter(({ kind }) => kind !== 'danger'));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was said lately. Faults stay until they are closed, or the page is left. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  const close = (id: number) => show(notices.filter((notice) => notice.id !== id));
  return (
    <AlertGroup isToast isLiveRegion>
      {shown.map(({ id, kind, title }) => (
        <Alert
          key={id}
          component="p"
          variant={kind}
          title={title}
          timeout={kind === 'danger' ? false : 6_000}
          onTimeout={() => close(id)}
          actionClose={<AlertActionCloseButton onClose={() => close(id)} />}
        />
      ))}
    </AlertGroup>
  );
}
