import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { DomainEvent } from './event.js';

/** What the log knows of one type of event: the shape of its data, and how older shapes become the present one. */
export interface EventType<Type extends string = string, Schema extends JSONSchema = JSONSchema> {
  /** Stable name, `ToolPublishedEvent`: aggregate, past tense, `Event`. */
  readonly type: Type;
  readonly aggregateType: string;
  /** Version of the shape of `data`, from 1. */
  readonly version: number;
  /** JSON Schema 2020-12 of `data`, checked on append. */
  readonly schema: Schema;
  /** `upcasters[n]` turns data of version n into that of n + 1. */
  readonly upcasters?: Readonly<Record<number, (data: unknown) => unknown>>;
}

/** Declares an event type; the type of its data is derived from the schema. */
export function eventType<const Type extends string, const Schema extends JSONSchema>(
  declaration: EventType<Type, Schema>,
): EventType<Type, Schema> {
  return declaration;
}

/** The event of a declared type: `EventOf<typeof skillCreated>`. */
export type EventOf<T> =
  T extends EventType<infer Type, infer Schema>
    ? FromSchema<Schema> extends infer Data extends object
      ? DomainEvent<Type, Data>
      : never
    : never;
