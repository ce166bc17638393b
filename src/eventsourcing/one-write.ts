import type { NewEvent } from './event-store.js';

/** What the events of one append have in common: the host, and who caused them. Throws where they do not. */
export function oneWrite(hostId: string, events: readonly NewEvent[]): NewEvent {
  const [first] = events;
  if (first === undefined) throw new Error('An append has at least one event.');
  for (const { host, user, clientid, source, correlationid } of events) {
    const fits =
      host === hostId &&
      user === first.user &&
      clientid === first.clientid &&
      source === first.source &&
      correlationid === first.correlationid;
    if (!fits) throw new Error('The events of one append are of one host and one write.');
  }
  return first;
}
