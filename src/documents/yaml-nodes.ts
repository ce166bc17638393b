import { EVENT_ID, getScalarValue, parseEvents, type Event } from 'js-yaml';
import { below } from './json.js';

/** One key of a mapping, or one item of a list, as the text has it. */
interface YamlNode {
  /** RFC 6901. */
  readonly pointer: string;
  /** Characters before it: before the key of a member, the value of an item. */
  readonly offset: number;
  /** Whether the mapping had this key before. Merge keys may repeat. */
  readonly repeatsKey: boolean;
}

/** A document, mapping or list that is open, and where in it the walk is. */
interface Frame {
  readonly kind: 'document' | 'mapping' | 'sequence';
  readonly keys: Set<string>;
  step: string | number;
  /** Of a mapping: a key was met, and its value comes next. */
  awaitsValue: boolean;
}

const opens: Readonly<Partial<Record<Event['type'], Frame['kind']>>> = {
  [EVENT_ID.DOCUMENT]: 'document',
  [EVENT_ID.MAPPING]: 'mapping',
  [EVENT_ID.SEQUENCE]: 'sequence',
};

/** Walks through the members and items of a readable text, in its order. */
export function* nodesOf(text: string, maxDepth: number): Generator<YamlNode> {
  const open: Frame[] = [];
  for (const event of parseEvents(text, { maxDepth })) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const frame = open.at(-1);
    const found = frame === undefined ? undefined : advance(frame, event, text);
    if (found !== undefined) {
      const steps = open.filter(({ kind }) => kind !== 'document').map(({ step }) => step);
      yield { pointer: below('', ...steps), offset: offsetOf(event), ...found };
    }
    const kind = opens[event.type];
    if (kind !== undefined) open.push({ kind, keys: new Set(), step: -1, awaitsValue: false });
  }
}

/** Advances in what is open; undefined where nothing begins: at the value of a member. */
function advance(frame: Frame, event: Event, text: string): Pick<YamlNode, 'repeatsKey'> | undefined {
  if (frame.kind === 'sequence') {
    frame.step = Number(frame.step) + 1;
    return { repeatsKey: false };
  }
  if (frame.kind !== 'mapping') return undefined;
  frame.awaitsValue = !frame.awaitsValue;
  if (!frame.awaitsValue) return undefined;
  const key = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : '';
  const repeatsKey = frame.keys.has(key) && key !== '<<';
  frame.keys.add(key);
  frame.step = key;
  return { repeatsKey };
}

function offsetOf(event: Event): number {
  if ('valueStart' in event) return event.valueStart;
  return 'start' in event ? event.start : 'anchorStart' in event ? event.anchorStart : 0;
}
