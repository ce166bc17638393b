import { v5 } from 'uuid';
import { Command } from '../eventsourcing/command.js';
import type { Selected } from './entity-taxonomy.events.js';
import type { EntityType } from './entity-type.js';

/** What is classified. */
export interface Entity {
  readonly entityType: EntityType;
  readonly entityId: string;
}

/** A selection is an aggregate of its own, its id derived from what it belongs to. */
export function entityTaxonomyId({ entityType, entityId }: Entity): string {
  return v5(entityType, entityId);
}

/** Says what the categories and the tags of a thing are; a list left out stays. */
export class ReplaceTaxonomy extends Command<
  Entity & { readonly categories?: Selected | undefined; readonly tags?: Selected | undefined }
> {
  readonly aggregateType = 'EntityTaxonomy';
}

/** Says the tags that a document gives to a thing; heard only where nobody has ever said anything. */
export class AdoptTags extends Command<Entity & { readonly tags: Selected }> {
  readonly aggregateType = 'EntityTaxonomy';
}

export type EntityTaxonomyCommand = ReplaceTaxonomy | AdoptTags;
