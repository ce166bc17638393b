import { Alert, Button, List, ListItem } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useFormats, useTexts } from '../../texts/texts.tsx';

interface Given {
  /** Endpoints by id. */
  readonly picked: ReadonlySet<string>;
  readonly clear: () => void;
}

/** Publishes endpoints that were chosen as tools, and says which were refused and why. */
export function Publishing({ picked, clear }: Given) {
  const { endpoints } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const publish = useMutation({
    mutationFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/tools/publish', {
          params: { path: { hostId } },
          body: { endpointIds: [...picked] },
        }),
      ),
    onSuccess: clear,
  });
  return (
    <>
      {picked.size > 0 && (
        <div>
          <Button
            onClick={() => publish.mutate()}
            isLoading={publish.isPending}
            isDisabled={publish.isPending}
          >
            {endpoints.publish(number(picked.size))}
          </Button>
        </div>
      )}
      {publish.data !== undefined && <Outcome of={publish.data} />}
    </>
  );
}

function Outcome({
  of: { published, unchanged, conflicts, leftOut, withheld },
}: {
  readonly of: Of<'Publication'>;
}) {
  const { endpoints } = useTexts();
  const { number } = useFormats();
  const refused = [...conflicts, ...leftOut];
  return (
    <div className="portal-stack" role="region" aria-label={endpoints.results} aria-live="polite">
      <Alert
        component="h2"
        isInline
        variant={published > 0 ? 'success' : 'info'}
        title={endpoints.published(number(published), number(unchanged))}
      />
      <Warning
        title={endpoints.refused(number(refused.length))}
        lines={refused.map(({ endpoint, detail }) => `${endpoint}: ${detail}`)}
      />
      <Warning
        title={endpoints.held(number(withheld.length))}
        lines={withheld.map(({ toolName, fields }) => `${toolName}: ${fields.join(', ')}`)}
      />
    </div>
  );
}

function Warning({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Alert component="h2" isInline variant="warning" title={title}>
      <List>
        {lines.map((line) => (
          <ListItem key={line}>{line}</ListItem>
        ))}
      </List>
    </Alert>
  );
}
