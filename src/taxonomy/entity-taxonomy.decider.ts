import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { AdoptTags, type EntityTaxonomyCommand, type ReplaceTaxonomy } from './entity-taxonomy.commands.js';
import type { EntityTaxonomyEvent, Selected } from './entity-taxonomy.events.js';

/** Before the first selection nothing is selected: to select nothing then changes nothing. */
export interface EntityTaxonomyState {
  readonly status: 'unset' | 'set';
  readonly categories: Selected;
  readonly tags: Selected;
}

export const entityTaxonomyDecider: Decider<EntityTaxonomyState, EntityTaxonomyCommand, EntityTaxonomyEvent> =
  {
    aggregateType: 'EntityTaxonomy',
    initial: { status: 'unset', categories: [], tags: [] },

    decide(command, state) {
      if (command instanceof AdoptTags && state.status === 'set') return [];
      const { entityType, entityId, categories = state.categories, tags = state.tags } = said(command);
      const next = { categories: ordered(categories), tags: ordered(tags) };
      if (isDeepStrictEqual(next, { categories: state.categories, tags: state.tags })) return [];
      return [{ type: 'EntityTaxonomyReplacedEvent', data: { entityType, entityId, ...next } }];
    },

    evolve(_state, { data: { categories, tags } }) {
      return { status: 'set', categories, tags };
    },
  };

function said(command: EntityTaxonomyCommand): ReplaceTaxonomy['payload'] {
  return command.payload;
}

function ordered(selected: Selected): Selected {
  return selected.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}
