import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { namedIds, type RecordedEvent, type EventType, type Touches } from './event.js';
import { LazyValidators } from './lazy-validators.js';

interface Known {
  readonly eventType: EventType;
  readonly validator: () => ValidateFunction;
}

/** Every type of event that the log may hold. */
export class EventTypes {
  private readonly known = new Map<string, Known>();
  private readonly ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictTuples: false,
  });
  private readonly validators = new LazyValidators<ValidateFunction>((schema) => this.ajv.compile(schema));

  constructor(eventTypes: Iterable<EventType>) {
    ajvFormats.default(this.ajv);
    for (const eventType of eventTypes) {
      if (this.known.has(eventType.type))
        throw new Error(`The event type ${eventType.type} is declared twice.`);
      this.known.set(eventType.type, {
        eventType,
        validator: this.validators.of(eventType.schema as object),
      });
    }
  }

  get(type: string): EventType {
    return this.find(type).eventType;
  }

  get names(): readonly string[] {
    return [...this.known.keys()];
  }

  /** Whom events of this type touch; everybody where no slice says. */
  touches(type: string): Touches {
    return this.known.get(type)?.eventType.touches ?? 'everybody';
  }

  /** The ids of the records that the event touches; everybody also where its data names them and was erased. */
  touchedBy(event: RecordedEvent): readonly string[] | 'everybody' {
    const touches = this.touches(event.type);
    if (touches === 'nobody') return [];
    const isErased = typeof touches === 'object' && (event.data as object | null) === null;
    return touches === 'everybody' || isErased ? 'everybody' : namedIds({ touches }, event);
  }

  /** Throws where the data does not have the shape of its type: a mistake of the program, never of a client. */
  check(type: string, data: object): void {
    const validate = this.find(type).validator();
    if (validate(data)) return;
    throw new Error(`The data of a ${type} breaks its schema: ${this.ajv.errorsText(validate.errors)}.`);
  }

  /** Compiles the schemas of types that no write has used so far, one a step. */
  compileAhead(): Generator<void> {
    return this.validators.compileAhead();
  }

  /** Whether this program is new enough to know events of this type and version: a newer one may write to the same log. */
  knows(type: string, version: number): boolean {
    return version <= (this.known.get(type)?.eventType.version ?? 0);
  }

  /** Data of an older shape in the shape of today. */
  upcast(type: string, version: number, data: unknown): unknown {
    const { version: today, upcasters } = this.get(type);
    let shape = data;
    for (let from = version; from < today; from += 1) {
      const upcaster = upcasters?.[from];
      if (upcaster === undefined)
        throw new Error(`There is no upcaster of ${type} from version ${String(from)}.`);
      shape = upcaster(shape);
    }
    return shape;
  }

  private find(type: string): Known {
    const known = this.known.get(type);
    if (known === undefined) throw new Error(`The event type ${type} is not declared by any slice.`);
    return known;
  }
}
