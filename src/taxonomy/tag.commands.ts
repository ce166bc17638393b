import { Command } from '../eventsourcing/command.js';
import type { NewTagWords, TagWords } from './tag.events.js';

/** The other tag for the same kind of thing that has the name which this one would have. */
interface NameHolder {
  readonly nameHeldBy: string | null;
}

/** The aggregate id is a fresh UUID v7. */
export class CreateTag extends Command<NameHolder & { readonly words: NewTagWords }> {
  readonly aggregateType = 'Tag';
  override readonly birth = true;
}

/** A word left out is unchanged. */
export class UpdateTag extends Command<NameHolder & { readonly words: Partial<TagWords> }> {
  readonly aggregateType = 'Tag';
}

export class DeleteTag extends Command<Record<never, never>> {
  readonly aggregateType = 'Tag';
}

export type TagCommand = CreateTag | UpdateTag | DeleteTag;
