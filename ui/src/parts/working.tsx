import './working.css';

/** That something takes its time, and what: the service says not how far it is. */
export function Working({ what }: { readonly what: string }) {
  return (
    <div>
      <p role="status">{what}</p>
      <div className="portal-working" role="progressbar" aria-label={what} />
    </div>
  );
}
