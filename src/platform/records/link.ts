import { isDeepStrictEqual } from 'node:util';
import { v5 } from 'uuid';
import { Command, type Decider } from '../../kernel/command.js';
import type { NotFound } from '../../kernel/errors.js';
import type { DomainEvent, RecordedEvent, EventType } from '../../kernel/event.js';
import type { Projection } from '../../kernel/slice.js';
import { auditOf, RowChanges, type Table } from '../database/row-changes.js';
import { defaultsOf, type HasColumn, tableOfFields, toColumns, type Fields, type Values } from './fields.js';

/** The declaration of a link: the records that it joins, and its own fields. */
export interface LinkSpec<Name extends string, Ends extends Fields, Own extends Fields> {
  /** Aggregate type and stem of the events: `SkillTool` gives `SkillToolCreatedEvent`. */
  readonly name: Name;
  /** Its table; `<table without _t>_history_t` keeps earlier rows. */
  readonly table: `${string}_t`;
  /** The ids of the records that it joins, in the order of the path; one link for each combination. */
  readonly ends: Ends;
  /** Of fields that came later, events of before mean the default, or null where there is none. */
  readonly fields: Own;
  /** Columns that follow from the fields, so that SQL need not read those. */
  readonly derived?: {
    readonly columns: Readonly<Record<string, HasColumn>>;
    readonly of: (fields: Values<Own>) => Readonly<Record<string, unknown>>;
  };
}

/** The fields of the link as it is now; null where there is none. */
export type LinkState<Own extends Fields> = Values<Own> | null;

/** Rules beyond those of every link. Facts about other records are passed in. */
export interface LinkRules<Ends extends Fields, Own extends Fields, PutFacts, RemoveFacts> {
  /** Throws where the link must not be created or changed like this. */
  put?(link: Values<Ends> & Values<Own>, current: LinkState<Own>, facts: PutFacts): void;
  /** Throws where the link must not be removed. */
  remove?(ends: Values<Ends>, facts: RemoveFacts): void;
  /** The refusal of a removal where there is no link. */
  missing(ends: Values<Ends>): NotFound;
}

/** Creates the link or changes its fields. */
export class PutLink<Link extends object = object, Facts = unknown> extends Command<Link> {
  readonly puts = true;

  constructor(
    readonly aggregateType: string,
    hostId: string,
    id: string,
    link: Link,
    readonly facts: Facts,
  ) {
    super(hostId, id, link);
  }
}

/** Removes the link. */
export class RemoveLink<Ends extends object = object, Facts = unknown> extends Command<Ends> {
  readonly puts = false;

  constructor(
    readonly aggregateType: string,
    hostId: string,
    id: string,
    ends: Ends,
    readonly facts: Facts,
  ) {
    super(hostId, id, ends);
  }
}

type LinkEvent<Name extends string, Ends extends Fields, Own extends Fields> =
  | DomainEvent<`${Name}CreatedEvent` | `${Name}UpdatedEvent`, Values<Ends> & Values<Own>>
  | DomainEvent<`${Name}DeletedEvent`, Values<Ends>>;

/** All that follows from the declaration of a link. */
export interface Link<
  Name extends string = string,
  Ends extends Fields = Fields,
  Own extends Fields = Fields,
  PutFacts = unknown,
  RemoveFacts = unknown,
> extends LinkSpec<Name, Ends, Own> {
  readonly rows: Table;
  /** The id, derived from the ids of the records that it joins. */
  id(ends: Values<Ends>): string;
  missing(ends: Values<Ends>): NotFound;
  readonly events: readonly EventType[];
  readonly decider: Decider<
    LinkState<Own>,
    PutLink<Values<Ends> & Values<Own>, PutFacts> | RemoveLink<Values<Ends>, RemoveFacts>,
    LinkEvent<Name, Ends, Own>
  >;
  readonly projection: Projection;
  put(
    hostId: string,
    link: Values<Ends> & Values<Own>,
    facts: PutFacts,
  ): PutLink<Values<Ends> & Values<Own>, PutFacts>;
  remove(hostId: string, ends: Values<Ends>, facts: RemoveFacts): RemoveLink<Values<Ends>, RemoveFacts>;
}

/**
 * Declares a link between records: an aggregate of its own, whose id is derived from the ids that it joins, so that there is
 * one for each combination even where writes race. A removed link keeps its row, inactive.
 */
export function link<
  Name extends string,
  Ends extends Fields,
  Own extends Fields,
  PutFacts = undefined,
  RemoveFacts = undefined,
>(
  spec: LinkSpec<Name, Ends, Own>,
  rules: LinkRules<Ends, Own, PutFacts, RemoveFacts>,
): Link<Name, Ends, Own, PutFacts, RemoveFacts> {
  const { name, table, ends, fields, derived } = spec;
  const rows = tableOfFields(table, ends, { ...fields, ...derived?.columns });
  return {
    ...spec,
    rows,
    id: (values) => idOf(ends, values),
    missing: rules.missing.bind(rules),
    events: eventsOf(spec),
    decider: deciderOf(spec, rules),
    projection: {
      name: table,
      tables: [table, table.replace(/_t$/, '_history_t')],
      handles: kinds.map((kind) => `${name}${kind}Event`),
      apply(tx, recorded) {
        const changes = new RowChanges(rows);
        for (const event of recorded) applyTo(changes, event, spec);
        changes.write(tx);
      },
    },
    put: (hostId, link, facts) => new PutLink(name, hostId, idOf(ends, link), link, facts),
    remove: (hostId, from, facts) => new RemoveLink(name, hostId, idOf(ends, from), from, facts),
  };
}

const kinds = ['Created', 'Updated', 'Deleted'] as const;

/** UUID v5 of the other ends, in the namespace of the first. */
function idOf(ends: Fields, values: Readonly<Record<string, unknown>>): string {
  const [first = '', ...others] = Object.keys(ends).map((name) => String(values[name]));
  return v5(others.join('/'), first);
}

/**
 * Created is also the event of a removed link that is created again; Updated carries the whole link after the change. All
 * carry the ids of the ends, and touch these records.
 */
function eventsOf({
  name,
  ends,
  fields,
}: Pick<LinkSpec<string, Fields, Fields>, 'name' | 'ends' | 'fields'>): EventType[] {
  const whole = { ...ends, ...fields };
  return kinds.map((kind) => {
    const members = Object.entries(kind === 'Deleted' ? ends : whole);
    return {
      type: `${name}${kind}Event`,
      aggregateType: name,
      version: 1,
      touches: Object.keys(ends),
      schema: {
        type: 'object',
        additionalProperties: false,
        required: members.filter(([, { later }]) => later !== true).map(([member]) => member),
        properties: Object.fromEntries(members.map(([member, { stored }]) => [member, stored])),
      },
    };
  });
}

function deciderOf<Name extends string, Ends extends Fields, Own extends Fields, PutFacts, RemoveFacts>(
  { name, ends, fields }: LinkSpec<Name, Ends, Own>,
  rules: LinkRules<Ends, Own, PutFacts, RemoveFacts>,
): Link<Name, Ends, Own, PutFacts, RemoveFacts>['decider'] {
  return {
    aggregateType: name,
    initial: null,

    decide(command, current) {
      if (!command.puts) {
        const removed = only(ends, command.payload);
        if (current === null) throw rules.missing(removed);
        rules.remove?.(removed, command.facts);
        return [{ type: `${name}DeletedEvent`, data: removed }];
      }
      const { payload, facts } = command;
      rules.put?.(payload, current, facts);
      const data = { ...only(ends, payload), ...only(fields, payload) };
      if (current === null) return [{ type: `${name}CreatedEvent`, data }];
      return isDeepStrictEqual(current, only(fields, payload)) ? [] : [{ type: `${name}UpdatedEvent`, data }];
    },

    evolve(_current, event) {
      if (event.type === `${name}DeletedEvent`) return null;
      return only(fields, event.data as Values<Ends> & Values<Own>);
    },
  };
}

/** Just the values of these fields. */
function only<F extends Fields>(fields: F, values: Values<F>): Values<F> {
  const defaults = defaultsOf(fields);
  const given: Readonly<Record<string, unknown>> = values;
  const valueOf = (name: string): unknown =>
    given[name] === undefined ? (defaults[name] ?? null) : given[name];
  return Object.fromEntries(Object.keys(fields).map((name) => [name, valueOf(name)])) as Values<F>;
}

function applyTo<Own extends Fields>(
  changes: RowChanges,
  event: RecordedEvent,
  { ends, fields, derived }: Pick<LinkSpec<string, Fields, Own>, 'ends' | 'fields' | 'derived'>,
): void {
  const values = event.data as Values<Fields & Own>;
  const key = only(ends, values);
  const active = !event.type.endsWith('DeletedEvent');
  const own = active ? only(fields, values as Values<Own>) : undefined;
  const row = {
    ...toColumns({ ...key, ...own, ...(own && derived?.of(own)) }),
    active,
    ...auditOf(event),
  };
  changes.set({ host_id: event.host, ...toColumns(key) }, row, active);
}
