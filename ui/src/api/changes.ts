import { api, given } from './client.ts';

/** What has changed: an event of the log, without its data. */
export interface Change {
  readonly position: number;
  readonly aggregatetype: string;
}

interface Followed {
  readonly hostId: string;
  /** The last position that is known; where none is, changes are told from now on. */
  readonly after: number | undefined;
  /** Called once the service tells of changes. */
  readonly opened: () => void;
  readonly changed: (change: Change) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows a host's log until the service ends it. `EventSource` would do, but for events of every type, and for how long it waits
 * before it asks again. Throws ApiFault where the service refuses, and what the network throws where that fails.
 */
export async function followChanges({ hostId, after, opened, changed, signal }: Followed): Promise<void> {
  // Of an event stream the document says that it is text, which it is as a whole.
  const answer: unknown = await given(
    api.GET('/v1/hosts/{hostId}/events/stream', {
      params: { path: { hostId }, query: { data: false, fromEnd: true } },
      headers: after === undefined ? {} : { 'last-event-id': String(after) },
      parseAs: 'stream',
      signal,
    }),
  );
  opened();
  const body = answer as ReadableStream<Uint8Array<ArrayBuffer>>;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const change = changeIn(block);
      if (change !== undefined) changed(change);
    }
  }
}

/** Comments, which keep the stream open, and the word that it has expired have no id. */
function changeIn(block: string): Change | undefined {
  const lines = block.split('\n');
  const data = lines.find((line) => line.startsWith('data: '));
  if (data === undefined || !lines.some((line) => line.startsWith('id: '))) return undefined;
  return JSON.parse(data.slice('data: '.length)) as Change;
}
