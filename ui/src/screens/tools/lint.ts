import { useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';

/** What models will get wrong of a tool, by its place in what they are given; nothing where it can't be said. */
export function useLint(tool: Of<'Tool'>) {
  const hostId = useHost();
  const spec = JSON.stringify(specOf(tool));
  return useQuery({
    queryKey: ['lint', hostId, spec],
    retry: false,
    queryFn: () =>
      given(api.POST('/v1/hosts/{hostId}/tools/lint', { params: { path: { hostId } }, body: { spec } })),
  });
}

interface Safety {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
}

/** The tool as a spec would have it: its number does not matter here. */
function specOf({ name, description, inputSchema, responseSchema, toolMetadata }: Of<'Tool'>) {
  const { safety = {} } = (toolMetadata ?? {}) as { readonly safety?: Safety };
  const hints = {
    readOnlyHint: safety.readOnly,
    destructiveHint: safety.destructive,
    idempotentHint: safety.idempotent,
  };
  return {
    ...{ version: '1.0.0', name, description },
    inputSchema: { ...inputSchema, type: 'object' },
    ...(responseSchema && { outputSchema: responseSchema }),
    annotations: Object.fromEntries(Object.entries(hints).filter(([, said]) => said !== undefined)),
  };
}
