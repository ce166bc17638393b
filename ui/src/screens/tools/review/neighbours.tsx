import { Flex } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, given } from '../../../api/client.ts';
import { useHost } from '../../../api/session.ts';
import { GoTo } from '../../../parts/to.tsx';
import { useFormats, useTexts } from '../../../texts/texts.tsx';

interface Which {
  readonly toolId: string;
  readonly version: string;
}

/** The versions that wait before and after this one: by button, and by the keys K and J. */
export function Neighbours({ toolId, version }: Which) {
  const { review } = useTexts();
  const { number } = useFormats();
  const hostId = useHost();
  const waiting = useQuery({
    queryKey: ['desk', hostId, {}, 'all'],
    queryFn: () => given(api.GET('/v1/hosts/{hostId}/tool-versions', { params: { path: { hostId } } })),
  });
  const { items = [], nextCursor } = waiting.data ?? {};
  const here = items.findIndex((each) => each.toolId === toolId && each.toolVersion === version);
  // One that has been decided is no longer among them: what follows is the first that waits.
  const at = (index: number) => {
    const found = items[index];
    return found && `/tools/${found.toolId}/versions/${found.toolVersion}`;
  };
  const [back, on] = [here > 0 ? at(here - 1) : undefined, at(here + 1)];
  useKeys({ k: back, j: on });
  if (items.length === 0 || (items.length === 1 && here === 0)) return null;
  const all = `${number(items.length)}${nextCursor === undefined ? '' : '+'}`;
  return (
    <Flex gap={{ default: 'gapSm' }} alignItems={{ default: 'alignItemsCenter' }}>
      <span className="portal-subtle">
        {here < 0 ? review.waiting(all) : review.place(number(here + 1), all)}
      </span>
      <GoTo variant="secondary" size="sm" to={back ?? '.'} isDisabled={back === undefined}>
        {review.back}
      </GoTo>
      <GoTo variant="secondary" size="sm" to={on ?? '.'} isDisabled={on === undefined}>
        {review.on}
      </GoTo>
    </Flex>
  );
}

function useKeys(places: Readonly<Record<string, string | undefined>>): void {
  const navigate = useNavigate();
  const { j, k } = places;
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isTyping =
        target instanceof Element && target.closest('input, textarea, select, [contenteditable]');
      const to = key === 'j' ? j : key === 'k' ? k : undefined;
      if (isTyping || ctrlKey || metaKey || altKey || to === undefined) return;
      event.preventDefault();
      void navigate({ to });
    };
    document.addEventListener('keydown', follow);
    return () => document.removeEventListener('keydown', follow);
  }, [j, k, navigate]);
}
