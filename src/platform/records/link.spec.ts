import fc from 'fast-check';
import { v5 } from 'uuid';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import { bodyOf, columnOf, field, idField, optional, type Given } from './fields.js';
import { link } from './link.js';
import { many } from '../../../test/soak.js';

const membership = link(
  {
    name: 'Membership',
    table: 'membership_t',
    ends: { clubId: idField, memberId: idField },
    fields: {
      role: field({
        sql: 'text',
        shown: { type: 'string', enum: ['guest', 'host'], description: 'In the club.' },
      }),
      terms: field({ sql: 'jsonb', shown: { type: 'object', default: {} }, stored: { type: 'object' } }),
      since: optional(
        field({ sql: 'text', shown: { type: 'string' }, stored: { type: ['string', 'null'] } }),
      ),
    },
  },
  {
    put({ role }, current, { full }: { readonly full: boolean }) {
      if (current === null && full && role === 'guest')
        throw new RuleBroken('club_full', 'The club is full.');
    },
    remove({ memberId }, owner: string) {
      if (memberId === owner) throw new RuleBroken('owner_stays', 'The owner stays.');
    },
    missing: ({ clubId, memberId }) => new NotFound(`membership of club ${clubId} for`, memberId),
  },
);

const host = '00000000-0000-7000-8000-000000000001';
const ends = {
  clubId: '00000000-0000-7000-8000-00000000000a',
  memberId: '00000000-0000-7000-8000-00000000000b',
};
const guest = { ...ends, role: 'guest', terms: {}, since: null } as const;
const { decider } = membership;
type State = (typeof decider)['initial'];

describe('a declared link', () => {
  it('has an id that follows from what it joins', () => {
    const id = v5(ends.memberId, ends.clubId);
    expect(membership.put(host, guest, { full: false }).aggregateId).toBe(id);
    expect(membership.remove(host, ends, 'x').aggregateId).toBe(id);
  });

  it('has events whose schemas hold its ends, and its fields unless it is deleted', () => {
    expect(
      membership.events.map(({ type, schema }) => [type, (schema as { required: string[] }).required]),
    ).toEqual([
      ['MembershipCreatedEvent', ['clubId', 'memberId', 'role', 'terms', 'since']],
      ['MembershipUpdatedEvent', ['clubId', 'memberId', 'role', 'terms', 'since']],
      ['MembershipDeletedEvent', ['clubId', 'memberId']],
    ]);
  });

  it('is created, updated where it differs, deleted, and created again', () => {
    const created = { type: 'MembershipCreatedEvent', data: guest } as const;
    const deleted = { type: 'MembershipDeletedEvent', data: ends } as const;
    const put = membership.put(host, guest, { full: false });
    expect(decider.decide(put, null)).toEqual([created]);
    const state = decider.evolve(null, created);
    expect(state).toEqual({ role: 'guest', terms: {}, since: null });
    expect(decider.decide(put, state)).toEqual([]);
    const promoted = membership.put(host, { ...guest, role: 'host' }, { full: true });
    expect(decider.decide(promoted, state)).toEqual([
      { type: 'MembershipUpdatedEvent', data: { ...guest, role: 'host' } },
    ]);
    expect(decider.decide(membership.remove(host, ends, 'x'), state)).toEqual([deleted]);
    expect(decider.evolve(state, deleted)).toBeNull();
  });

  it('obeys: put twice is put once', () => {
    const role = fc.constantFrom('guest' as const, 'host' as const);
    const wanted = fc.record({ role, terms: fc.dictionary(fc.string(), fc.jsonValue()) });
    fc.assert(
      fc.property(fc.array(wanted), wanted, (before, last) => {
        const run = (state: State, fields: typeof last): State =>
          decider
            .decide(membership.put(host, { ...guest, ...fields }, { full: false }), state)
            .reduce((state: State, event) => decider.evolve(state, event), state);
        const state = run(before.reduce(run, null), last);
        const again = membership.put(host, { ...guest, ...last }, { full: false });
        expect(decider.decide(again, state)).toEqual([]);
      }),
      many(100),
    );
  });

  it('asks its own rules with the facts', () => {
    const refused = (code: string): Error => expect.objectContaining({ code }) as Error;
    expect(() => decider.decide(membership.put(host, guest, { full: true }), null)).toThrow(
      refused('club_full'),
    );
    const state = { role: 'guest', terms: {}, since: null } as const;
    const remove = membership.remove(host, ends, ends.memberId);
    expect(() => decider.decide(remove, state)).toThrow(refused('owner_stays'));
    expect(() => decider.decide(remove, null)).toThrow(NotFound);
  });

  it('has a table whose key is the host and what it joins', () => {
    const { rows } = membership;
    expect(rows.key).toEqual(['host_id', 'club_id', 'member_id']);
    expect(['member_id', 'terms', 'position'].map((column) => rows.typeOf(column))).toEqual([
      'uuid',
      'jsonb',
      'bigint',
    ]);
    expect(() => rows.typeOf('nickname')).toThrow('membership_t has no column nickname');
    expect(columnOf('dependsOnSkillId')).toBe('depends_on_skill_id');
  });

  it('asks in a body for what has no default', () => {
    expect(bodyOf(membership.fields)).toMatchObject({
      required: ['role'],
      properties: { terms: { default: {} } },
    });
  });

  it('is typed by its fields', () => {
    // @ts-expect-error A role that is none of those declared.
    membership.put(host, { ...guest, role: 'owner' }, { full: false });
    // @ts-expect-error A field that is not declared.
    membership.put(host, { ...guest, nickname: 'x' }, { full: false });
    // @ts-expect-error Facts of another shape.
    membership.put(host, guest, { empty: true });
    const given: Given<typeof membership.fields> = { role: 'guest', terms: {} };
    expect(given.since).toBeUndefined();
    // @ts-expect-error A request with a null that only events hold.
    expect<Given<typeof membership.fields>>({ ...given, since: null }).toBeDefined();
  });
});
