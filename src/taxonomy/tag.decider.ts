import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { CreateTag, UpdateTag, type TagCommand } from './tag.commands.js';
import type { TagEvent, TagWords } from './tag.events.js';

export type TagState =
  | { readonly status: 'unknown' }
  | { readonly status: 'active'; readonly words: TagWords }
  | { readonly status: 'deleted' };

export const tagDecider: Decider<TagState, TagCommand, TagEvent> = {
  aggregateType: 'Tag',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof CreateTag) {
      const { words, nameHeldBy } = command.payload;
      refuseTakenName(words.tagName, nameHeldBy);
      return [{ type: 'TagCreatedEvent', data: words }];
    }
    if (state.status !== 'active') throw new NotFound('tag', command.aggregateId);
    if (command instanceof UpdateTag) return updated(command, state.words);
    return [{ type: 'TagDeletedEvent', data: {} }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TagCreatedEvent': {
        const { entityType: _, ...words } = event.data;
        return { status: 'active', words };
      }
      case 'TagUpdatedEvent':
        return state.status === 'active' ? { ...state, words: { ...state.words, ...event.data } } : state;
      case 'TagDeletedEvent':
        return { status: 'deleted' };
    }
  },
};

function updated({ payload: { words: said, nameHeldBy } }: UpdateTag, now: TagWords): readonly TagEvent[] {
  const differs = ([word, text]: [string, unknown]): boolean => now[word as keyof TagWords] !== text;
  const words: Partial<TagWords> = Object.fromEntries(Object.entries(said).filter(differs));
  if (words.tagName !== undefined) refuseTakenName(words.tagName, nameHeldBy);
  return Object.keys(words).length === 0 ? [] : [{ type: 'TagUpdatedEvent', data: words }];
}

function refuseTakenName(name: string, holder: string | null): void {
  if (holder === null) return;
  const detail = `The tag ${holder} is named "${name}" already. Use that one, or take another name.`;
  throw new RuleBroken('tag_name_taken', detail, [{ pointer: '/tagName', detail }]);
}
