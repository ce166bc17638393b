import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { DomainEvent } from './event.js';

/**
 * Whom an event may affect among those who keep what they made of rows: whoever used its own record (`itself`), or also one
 * of the records whose ids are these members of its data; whoever refers to its record by name, which only the database
 * can say (`referrers`); everybody; nobody.
 */
export type Touches<Member extends string = string> =
  'itself' | readonly Member[] | 'referrers' | 'everybody' | 'nobody';

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
  /** Everybody unless said otherwise. */
  readonly touches?: Touches;
}

type MemberOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? string & keyof Properties
  : never;

/** Declares an event type; the type of its data is derived from the schema. */
export function eventType<const Type extends string, const Schema extends JSONSchema>(
  declaration: EventType<Type, Schema> & { readonly touches?: Touches<MemberOf<Schema>> },
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
