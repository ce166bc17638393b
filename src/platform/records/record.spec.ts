import fc from 'fast-check';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import { Conditions } from '../database/conditions.js';
import { field, idField, patchOf } from './fields.js';
import { record } from './record.js';
import { RecordReads } from './record-reads.js';
import { many } from '../../../test/soak.js';

const club = record(
  {
    name: 'Club',
    noun: 'club',
    table: 'club_t',
    id: { clubId: idField },
    fixed: { town: field({ sql: 'text', shown: { type: 'string' } }) },
    fields: {
      clubName: field({ sql: 'text', shown: { type: 'string', maxLength: 20 }, stored: { type: 'string' } }),
      members: field({ sql: 'integer', shown: { type: ['integer', 'null'], default: null } }),
      terms: field({ sql: 'jsonb', shown: { type: 'object', default: {} }, stored: { type: 'object' } }),
    },
    lifecycle: 'switched',
    events: { activated: 'ClubOpenedEvent' },
    unique: {
      constraint: 'club_name_uk',
      by: ['town', 'clubName'],
      among: 'active',
      code: 'club_name_taken',
      pointer: 'clubName',
      detail: (holder, [, name]) => `The club ${holder} is named "${String(name)}" already.`,
      raced: 'Another club has this name already.',
    },
  },
  {
    write({ next, changed, current }, { most }: { readonly most: number }) {
      if (changed.members !== undefined && Number(next.members) > most)
        throw new RuleBroken('club_full', `More than ${String(most)} after ${String(current?.active)}.`);
    },
  },
);
const note = record({
  ...{ name: 'Note', noun: 'note', table: 'note_t', history: false, id: { noteId: idField } },
  ...{ fixed: {}, lifecycle: 'deleted', updates: 'whole' },
  fields: { text: field({ sql: 'text', shown: { type: 'string' } }) },
  events: { created: 'NoteWrittenEvent', updated: 'NoteWrittenEvent' },
});

const host = '00000000-0000-7000-8000-000000000001';
const id = '00000000-0000-7000-8000-00000000000a';
const other = '00000000-0000-7000-8000-00000000000b';
const free = { heldBy: null, most: 9 };
const taken = { heldBy: other, most: 9 };
const chess = { town: 'Bern', clubName: 'Chess', members: null, terms: {} };
const { decider } = club;
type State = (typeof decider)['initial'];
const after = (...commands: Parameters<typeof decider.decide>[0][]): State =>
  commands.reduce(
    (state: State, command) =>
      decider.decide(command, state).reduce<State>((now, event) => decider.evolve(now, event), state),
    decider.initial,
  );
const made = after(club.create(host, id, chess, free));
const refused = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('a declared record', () => {
  it('has events whose schemas hold all fields at first, then what changes', () => {
    const properties = { town: { type: 'string' }, clubName: { type: 'string' } };
    expect(club.events.map(({ type, schema }) => [type, schema])).toMatchObject([
      ['ClubCreatedEvent', { required: ['town', 'clubName', 'members', 'terms'], properties }],
      ['ClubUpdatedEvent', { minProperties: 1, properties: { clubName: { type: 'string' } } }],
      ['ClubOpenedEvent', { type: 'object', additionalProperties: false }],
      ['ClubDeactivatedEvent', { type: 'object', additionalProperties: false }],
    ]);
    expect(club.events[1]?.schema).not.toHaveProperty('properties.town');
  });

  it('has one event where it is always written whole', () => {
    expect(note.events.map(({ type }) => type)).toEqual(['NoteWrittenEvent', 'NoteDeletedEvent']);
    const written = (text: string) => note.put(host, id, { text });
    const [first] = note.decider.decide(written('a'), null);
    expect(first).toEqual({ type: 'NoteWrittenEvent', data: { text: 'a' } });
    const state = note.decider.evolve(null, { type: 'NoteWrittenEvent', data: { text: 'a' } });
    expect(note.decider.decide(written('a'), state)).toEqual([]);
    expect(note.decider.decide(written('b'), state)).toEqual([
      { type: 'NoteWrittenEvent', data: { text: 'b' } },
    ]);
    expect(note.decider.evolve(state, { type: 'NoteDeletedEvent', data: {} })).toBeNull();
  });

  it('is made, says what has changed, and nothing where nothing has', () => {
    expect(made).toEqual({ active: true, fields: chess });
    expect(decider.decide(club.change(host, id, { clubName: 'Chess', terms: {} }, free), made)).toEqual([]);
    expect(decider.decide(club.change(host, id, { clubName: 'Go', members: null }, free), made)).toEqual([
      { type: 'ClubUpdatedEvent', data: { clubName: 'Go' } },
    ]);
    const putAgain = club.put(host, id, { ...chess, members: 3 }, free);
    expect(decider.decide(putAgain, made)).toEqual([{ type: 'ClubUpdatedEvent', data: { members: 3 } }]);
  });

  it('is switched off and on once', () => {
    const off = after(club.create(host, id, chess, free), club.deactivate(host, id));
    expect(off).toEqual({ active: false, fields: chess });
    expect(decider.decide(club.deactivate(host, id), off)).toEqual([]);
    expect(decider.decide(club.activate(host, id, free), off)).toEqual([
      { type: 'ClubOpenedEvent', data: {} },
    ]);
    expect(decider.decide(club.activate(host, id, taken), made)).toEqual([]);
  });

  it('is not found before it is made', () => {
    for (const command of [
      club.change(host, id, {}, free),
      club.activate(host, id, free),
      club.deactivate(host, id),
      club.remove(host, id),
    ])
      expect(() => decider.decide(command, null)).toThrow(NotFound);
  });

  it('refuses a name that another holds, where it takes it and while it is active', () => {
    const decide = (command: Parameters<typeof decider.decide>[0], state: State) => () =>
      decider.decide(command, state);
    expect(decide(club.create(host, id, chess, taken), null)).toThrow(
      expect.objectContaining({
        code: 'club_name_taken',
        message: `The club ${other} is named "Chess" already.`,
        faults: [expect.objectContaining({ pointer: '/clubName' })],
      }) as Error,
    );
    expect(decide(club.change(host, id, { clubName: 'Go' }, taken), made)).toThrow(
      refused('club_name_taken'),
    );
    expect(decide(club.change(host, id, { members: 2 }, taken), made)).not.toThrow();
    const off = after(club.create(host, id, chess, free), club.deactivate(host, id));
    expect(decide(club.change(host, id, { clubName: 'Go' }, taken), off)).not.toThrow();
    expect(decide(club.activate(host, id, taken), off)).toThrow(refused('club_name_taken'));
    expect(club.uniqueRules).toEqual({
      club_name_uk: { code: 'club_name_taken', detail: 'Another club has this name already.' },
    });
  });

  it('asks its own rules with the facts, where something changes', () => {
    const grow = (members: number | null) => () =>
      decider.decide(club.change(host, id, { members }, free), made);
    expect(grow(10)).toThrow(refused('club_full'));
    expect(grow(9)).not.toThrow();
    expect(grow(null)).not.toThrow();
  });

  it('obeys: the same change twice is one change', () => {
    const changes = fc.record(
      {
        clubName: fc.string(),
        members: fc.option(fc.integer({ max: 9 })),
        terms: fc.dictionary(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(changes), changes, (before, last) => {
        const change = club.change(host, id, last, free);
        const state = after(
          club.create(host, id, chess, free),
          ...before.map((each) => club.change(host, id, each, free)),
          change,
        );
        expect(decider.decide(change, state)).toEqual([]);
      }),
      many(100),
    );
  });

  it('has a table whose key is the host and its id', () => {
    expect(club.rows.key).toEqual(['host_id', 'club_id']);
    expect(club.projection.tables).toEqual(['club_t', 'club_history_t']);
    expect(note.projection.tables).toEqual(['note_t']);
  });

  it('is answered with its fields, those of every record, and what the view shows beside', () => {
    const reads = new RecordReads(club.spec, {
      visible: () => new Conditions(),
      orderBy: 'clubName',
      filters: { town: { type: 'string' } },
      shows: { town2: { sql: 'upper(town)', schema: { type: 'string' } } },
    });
    const audit = ['active', 'aggregateVersion', 'position', 'updateTs', 'updateUser'];
    expect(reads.answer).toMatchObject({
      required: ['clubId', 'town', 'clubName', 'members', 'terms', ...audit, 'town2'],
    });
    expect(reads.answer).not.toHaveProperty('properties.members.default');
    expect(Object.keys((reads.query as { properties: object }).properties)).toEqual([
      ...['limit', 'cursor', 'active', 'sort', 'town'],
    ]);
    expect(patchOf(club.spec.fields)).not.toHaveProperty('properties.members.default');
  });

  it('is typed by its fields', () => {
    // @ts-expect-error A value of another type.
    club.create(host, id, { ...chess, members: 'many' }, free);
    // @ts-expect-error A field that is not declared.
    club.change(host, id, { nickname: 'x' }, free);
    // @ts-expect-error A field that never changes.
    club.change(host, id, { town: 'Basel' }, free);
    // @ts-expect-error Nobody has looked who holds the name.
    club.create(host, id, chess, { most: 9 });
    // @ts-expect-error Nobody has looked up the facts.
    club.activate(host, id);
    const visible = () => new Conditions();
    // @ts-expect-error An order by what is no field.
    expect(new RecordReads(club.spec, { visible, orderBy: 'color' })).toBeDefined();
  });
});
