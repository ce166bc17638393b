import { override } from './endpoint.overrides.js';

describe('override', () => {
  it('reads both spellings of the read-only flag and keeps one', () => {
    const said = (safety: object) => override({}, {}, { safety }).overrides.safety;
    expect(said({ read_only: true, destructive: false })).toEqual({ readOnly: true, destructive: false });
    expect(said({ read_only: true, readOnly: false })).toEqual({ readOnly: false });
  });

  it('takes the flag back by either spelling', () => {
    const operator = { safety: { readOnly: true, idempotent: true } };
    const { overrides } = override({ operator }, {}, { safety: { read_only: null } });
    expect(overrides.safety).toEqual({ idempotent: true });
  });
});
