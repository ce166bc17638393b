import { useFormats } from '../texts/texts.tsx';

/** When something was, as one would say it; the exact time when pointed at, and for those who hear it. */
export function Moment({ of }: { readonly of: string }) {
  const { ago, moment } = useFormats();
  return (
    <time dateTime={of} title={moment(of)} className="portal-whole">
      {ago(of)}
    </time>
  );
}
