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
      {refused.length > 0 && (
        <Alert component="h2" isInline variant="warning" title={endpoints.refused(number(refused.length))}>
          <List>
            {refused.map(({ endpointId, endpoint, detail }) => (
              <ListItem key={endpointId}>
                {endpoint}: {detail}
              </ListItem>
            ))}
          </List>
        </Alert>
      )}
      {withheld.length > 0 && (
        <Alert component="h2" isInline variant="warning" title={endpoints.held(number(withheld.length))}>
          <List>
            {withheld.map(({ toolName, fields }) => (
              <ListItem key={toolName}>
                {toolName}: {fields.join(', ')}
              </ListItem>
            ))}
          </List>
        </Alert>
      )}
    </div>
  );
}
