import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, given, type Of } from '../../api/client.ts';
import { useHost } from '../../api/session.ts';
import { useSettled } from '../settled.ts';

/** What an author writes of a workflow. */
export interface WorkflowWords {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly definition: string;
}

export type Outline = Of<'ValidateWorkflowResponse'>;
export type Problem = Outline['problems'][number];
export type Step = Outline['steps'][number];

/** What the service says of a definition: what is wrong, at which line, and its steps. Asked for when typing pauses. */
export function useOutline(words: WorkflowWords, skillId: string | undefined) {
  const hostId = useHost();
  const { definition } = words;
  const asked = useSettled(definition);
  const { namespace, name, version } = words;
  const said = { namespace, name, version, ...(skillId === undefined ? {} : { skillId }) };
  return useQuery({
    queryKey: ['workflow outline', hostId, said, asked],
    queryFn: () =>
      given(
        api.POST('/v1/hosts/{hostId}/workflows/validate', {
          params: { path: { hostId } },
          body: { ...said, definition: asked },
        }),
      ),
    placeholderData: keepPreviousData,
    // A text for each pause in typing: none is asked for again.
    gcTime: 0,
  });
}

/** How deep a step stands within others. */
export function depthOf({ path }: Step): number {
  return path.split('/').filter((part) => /^\d+$/.test(part)).length - 1;
}
