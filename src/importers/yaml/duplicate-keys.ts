import { EVENT_ID, getScalarValue, parseEvents, type Event } from 'js-yaml';
import { below } from '../json-reading.js';

/** A document, mapping or list that is open, and where in it the walk is. */
interface Frame {
  readonly kind: 'document' | 'mapping' | 'sequence';
  readonly keys: Set<string>;
  step: string | number;
  /** Of a mapping: a key was met, and its value comes next. */
  awaitsValue: boolean;
}

/**
 * Places (RFC 6901) of the keys that stand twice in one mapping of a YAML text, each as often as it is repeated. The text is
 * one that the parser reads.
 */
export function* duplicateKeys(text: string, maxDepth: number): Generator<string> {
  const open: Frame[] = [];
  for (const event of parseEvents(text, { maxDepth })) {
    const frame = open.at(-1);
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (frame !== undefined && standsTwice(frame, event, text)) yield placeOf(open);
    const kind = opens[event.type];
    if (kind !== undefined) open.push({ kind, keys: new Set(), step: -1, awaitsValue: false });
  }
}

const opens: Readonly<Partial<Record<Event['type'], Frame['kind']>>> = {
  [EVENT_ID.DOCUMENT]: 'document',
  [EVENT_ID.MAPPING]: 'mapping',
  [EVENT_ID.SEQUENCE]: 'sequence',
};

/** Goes one step on in what is open. Whether that is to a key that was there before; merge keys may be. */
function standsTwice(frame: Frame, event: Event, text: string): boolean {
  if (frame.kind === 'sequence') frame.step = Number(frame.step) + 1;
  if (frame.kind !== 'mapping') return false;
  frame.awaitsValue = !frame.awaitsValue;
  if (!frame.awaitsValue) return false;
  const key = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : '';
  const isKnown = frame.keys.has(key) && key !== '<<';
  frame.keys.add(key);
  frame.step = key;
  return isKnown;
}

function placeOf(open: readonly Frame[]): string {
  return below('', ...open.filter(({ kind }) => kind !== 'document').map(({ step }) => step));
}
