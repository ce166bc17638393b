import fc from 'fast-check';
import { loosened } from '../../endpoints/shared.js';
import { type CallGuards, guardedAs } from './call-guards.js';
import { many } from '../../../test/soak.js';

const guards = fc.record({
  routing: fc.record(
    {
      sensitivityTier: fc.constantFrom('public', 'internal', 'confidential', 'restricted', 'odd'),
      domain: fc.constant('issues'),
    },
    { requiredKeys: [] },
  ),
  safety: fc.record({
    readOnly: fc.boolean(),
    idempotent: fc.boolean(),
    destructive: fc.boolean(),
    humanApprovalRequired: fc.boolean(),
  }),
});

it('a tool is guarded by no less than itself and all that it calls, and by no more', () => {
  fc.assert(
    fc.property(guards, fc.array(guards, { maxLength: 3 }), (own, called) => {
      const after = guardedAs(own, called);
      for (const each of [own, ...called]) expect(loosened(each, after)).toEqual([]);
      expect(guardedAs(after, called)).toEqual(after);
      expect(after.safety.destructive).toBe([own, ...called].some(({ safety }) => safety.destructive));
      expect({ ...after.routing, sensitivityTier: 0 }).toEqual({ ...own.routing, sensitivityTier: 0 });
    }),
    many(100),
  );
});

it('what is called by nothing stays as it is', () => {
  fc.assert(
    fc.property(guards, (own) => {
      expect(guardedAs(own, [])).toEqual(own);
    }),
    many(100),
  );
});

it('an approval workflow is not handed on', () => {
  const called: CallGuards = {
    routing: {},
    safety: { destructive: true, ...{ approvalWorkflow: 'ops/approve' } },
  };
  const safety = { readOnly: false, idempotent: false, destructive: false, humanApprovalRequired: false };
  expect(guardedAs({ routing: {}, safety }, [called]).safety).toEqual({ ...safety, destructive: true });
});
