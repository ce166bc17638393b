import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Observable } from 'rxjs';

/** What a client of `/mcp` sees, as texts that differ where it does. */
export interface SeenState {
  readonly tools: string;
  readonly skills: string;
}

/**
 * Tells one client of changes of what it sees, and of nothing else: looked at whenever its host's log has grown.
 * Looks follow each other, however fast the log grows. The first is made before the client can subscribe: what changes
 * from then on it is told of, also before it listens.
 */
export async function changesOf(
  growth: Observable<unknown>,
  look: () => Promise<SeenState>,
): Promise<ServerEventBus> {
  // A look that failed is made again at the next growth.
  let known = await look().catch(() => undefined);
  return {
    publish: () => undefined,
    subscribe: (listener) => {
      let pending = false;
      const check = async (): Promise<void> => {
        pending = false;
        const [before, now] = [known, await look()];
        known = now;
        if (before === undefined) return;
        for (const event of eventsBetween(before, now)) listener(event);
      };
      let last = check().catch(() => undefined);
      const subscription = growth.subscribe(() => {
        if (pending) return;
        pending = true;
        last = last.then(check).catch(() => undefined);
      });
      return () => {
        subscription.unsubscribe();
      };
    },
  };
}

function eventsBetween(before: SeenState, now: SeenState): ServerEvent[] {
  const skills: ServerEvent[] = [{ kind: 'prompts_list_changed' }, { kind: 'resources_list_changed' }];
  return [
    ...(before.tools === now.tools ? [] : [{ kind: 'tools_list_changed' } as const]),
    ...(before.skills === now.skills ? [] : skills),
  ];
}
