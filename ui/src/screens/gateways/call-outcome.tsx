import { Alert, Button } from '@patternfly/react-core';
import { personas, useDevelopmentSignIn, useSession } from '../../api/session.ts';
import { Code } from '../../parts/code.tsx';
import { notify } from '../../parts/notices.tsx';
import { To } from '../../parts/to.tsx';
import { useFormats, useTexts } from '../../texts/texts.tsx';
import type { Fault, Outcome, Refusal } from './mcp.ts';

interface Given {
  readonly name: string;
  readonly toolId: string | undefined;
  readonly outcome: Outcome;
  readonly ms: number;
}

/** What a call came to: first in a sentence, then what was answered. */
export function CallOutcome({ name, toolId, outcome, ms }: Given) {
  const { gateways } = useTexts();
  const { number } = useFormats();
  if (outcome.kind === 'refused')
    return (
      <Alert isInline isLiveRegion component="h2" variant="warning" title={gateways.refused(name)}>
        <Refused message={outcome.message} data={outcome.data} toolId={toolId} />
      </Alert>
    );
  const isAnswered = outcome.kind === 'answered';
  return (
    <div className="portal-stack">
      <Alert
        isInline
        isLiveRegion
        component="h2"
        variant={isAnswered ? 'success' : 'danger'}
        title={isAnswered ? gateways.answered(name, number(ms)) : gateways.failedCall(name)}
      >
        {!isAnswered && <Failed fault={outcome.fault} />}
      </Alert>
      {outcome.texts.map((text, index) => (
        <Code key={index} text={readable(isAnswered ? text : withoutCode(text, outcome.fault))} />
      ))}
      {outcome.texts.length === 0 && <p className="portal-subtle">{gateways.emptyAnswer}</p>}
    </div>
  );
}

/** Where it failed, and, of what is often mended, how. */
function Failed({ fault }: { readonly fault: Fault | undefined }) {
  const { gateways } = useTexts();
  if (fault === undefined) return gateways.levels.tool;
  const level = gateways.levels[fault.level as keyof typeof gateways.levels] as string | undefined;
  const mend = gateways.mends[fault.code as keyof typeof gateways.mends] as string | undefined;
  return (
    <>
      <p>{mend ?? level ?? fault.code}</p>
      <p className="portal-subtle">
        <code>{fault.code}</code>
      </p>
    </>
  );
}

function Refused({
  message,
  data,
  toolId,
}: {
  readonly message: string;
  readonly data: Refusal;
  readonly toolId: string | undefined;
}) {
  const { gateways, tiers } = useTexts();
  const reason = data.reason as keyof typeof gateways.refusals | undefined;
  const words = reason === undefined ? undefined : (gateways.refusals[reason] as string | undefined);
  const tierOf = (tier: string | undefined): string =>
    (tiers as Readonly<Record<string, string>>)[tier ?? ''] ?? '';
  return (
    <>
      <p>{words ?? message}</p>
      {reason === 'sensitivity_tier_exceeds_policy' && (
        <p>{gateways.tierRefused(tierOf(data.sensitivityTier), tierOf(data.maxSensitivityTier))}</p>
      )}
      {data.scopes !== undefined && <WithScopes scopes={data.scopes} />}
      {toolId !== undefined && <To to={`/tools/${toolId}`}>{gateways.show}</To>}
    </>
  );
}

/** Where the service signs in by itself, it gives what is asked for: a session with these scopes as well, for this person's own tries. */
function WithScopes({ scopes }: { readonly scopes: readonly string[] }) {
  const { gateways } = useTexts();
  const { claims, host, subject } = useSession();
  const signIn = useDevelopmentSignIn({
    done: () => notify('success', gateways.scopesGiven(scopes.join(', '))),
  });
  const all = [...new Set([...(claims.scope ?? '').split(' '), ...scopes])].filter(Boolean).join(' ');
  // Who it is stays the same; an agent has scopes of its own.
  const as = personas.find((persona) => persona === subject);
  const add = () => signIn.mutate({ scope: all, hostId: host, ...(as && { as }) });
  return (
    <p>
      <Button
        variant="secondary"
        size="sm"
        isLoading={signIn.isPending}
        isDisabled={signIn.isPending}
        onClick={add}
      >
        {gateways.giveScopes(scopes.join(', '))}
      </Button>
    </p>
  );
}

/** JSON with its lines, and else the text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The code is said above. */
function withoutCode(text: string, fault: Fault | undefined): string {
  const start = `${fault?.code ?? ''}: `;
  return fault !== undefined && text.startsWith(start) ? text.slice(start.length) : text;
}
