/** Which events make a version wait for a review. Pure. */
import type { RecordedEvent } from '../../kernel/event.js';
import type { ToolEvent } from '../model/tool.events.js';

/** A version that has begun to wait. */
interface WantedReview {
  readonly toolId: string;
  readonly version: string;
  /** Who wrote it: `sub` of the caller. */
  readonly by: string;
  readonly position: number;
  readonly time: string;
}

/** The types of events by whose data it is told. */
export const reviewedTypes = [
  'ToolPublishedEvent',
  'ToolCreatedEvent',
  'ToolVersionDraftedEvent',
  'ToolVersionSubmittedEvent',
] as const satisfies readonly ToolEvent['type'][];

/** The versions that begin to wait for a review with these events, whoever caused it; one whose text is replaced begins anew. */
export function wantedReviews(events: readonly RecordedEvent[]): readonly WantedReview[] {
  return events.flatMap((event) => {
    const version = waitingBy(event as RecordedEvent & ToolEvent);
    const { aggregateid: toolId, user: by, position, time } = event;
    return version === undefined ? [] : [{ toolId, version, by, position, time }];
  });
}

function waitingBy({ type, data }: ToolEvent): string | undefined {
  switch (type) {
    case 'ToolVersionSubmittedEvent':
      return data.version;
    case 'ToolPublishedEvent':
    case 'ToolCreatedEvent':
    case 'ToolVersionDraftedEvent':
      return data.state === 'in_review' ? data.version : undefined;
    default:
      return undefined;
  }
}
