import { Command, type Decider } from '../src/kernel/command.js';
import { eventType, type EventOf } from '../src/kernel/event.js';
import { aggregate, type Slice } from '../src/kernel/slice.js';
import type { Database } from '../src/kernel/sql.js';

/** The smallest slice that has it all: one event, one table. */
const noteWritten = eventType({
  type: 'NoteWrittenEvent',
  aggregateType: 'Note',
  version: 1,
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, text: { type: 'string' } },
    required: ['name', 'text'],
    additionalProperties: false,
  },
} as const);

export interface Note {
  readonly name: string;
  readonly text: string;
}

export const noteTables = `CREATE TABLE note_t (
  host_id uuid NOT NULL, note_id uuid NOT NULL, name text NOT NULL, PRIMARY KEY (host_id, note_id))`;

export async function makeNoteTables({ asOwner }: Database): Promise<void> {
  await asOwner.query(noteTables);
  await asOwner.query(`SELECT raise_walls('catalog')`);
}

export class WriteNote extends Command<Note> {
  readonly aggregateType = 'Note';
  override readonly createsStream = true;
}

const noteDecider: Decider<null, WriteNote, EventOf<typeof noteWritten>> = {
  aggregateType: 'Note',
  initial: null,
  decide: ({ payload }) => [{ type: 'NoteWrittenEvent', data: payload }],
  evolve: () => null,
};

export const noteSlice: Slice = {
  name: 'notes',
  events: [noteWritten],
  aggregates: [aggregate(noteDecider, [WriteNote])],
  projections: [
    {
      name: 'notes',
      tables: ['note_t'],
      handles: ['NoteWrittenEvent'],
      async apply(sql, events) {
        await sql.query(
          'INSERT INTO note_t SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])',
          [
            events.map(({ host }) => host),
            events.map(({ aggregateid }) => aggregateid),
            events.map(({ data }) => (data as Note).name),
          ],
          'notes',
        );
      },
    },
  ],
};
