import fc from 'fast-check';
import { type NameClaim, NameClaims, prefixedName, takenInTurn, toolNamePattern } from './tool-name.js';
import { nextVersion } from './tool-change.js';
import { many } from '../../../test/soak.js';

const fit = new RegExp(toolNamePattern);
const claim = (toolId: string, version: string, envTag: string | null, name = 'getAccount'): NameClaim => ({
  ...{ toolId, name, version, envTag },
});

describe('a prefixed name', () => {
  it('has the id of the API in front', () => {
    expect(prefixedName('com.example.accounts', 'getAccount')).toBe('com_example_accounts_getAccount');
  });

  it('keeps both ends of a name that is too long', () => {
    const name = prefixedName('accounts', `${'a'.repeat(32)}${'z'.repeat(32)}`);
    expect(name).toMatch(/^accounts_a+_z+$/);
    expect(name).toHaveLength(64);
  });

  it('is fit for a tool, whatever the API is called', () => {
    const apiId = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
    fc.assert(
      fc.property(apiId, name, (api, tool) => fit.test(prefixedName(api, tool))),
      many(100),
    );
  });
});

describe('names in use', () => {
  const claims = new NameClaims([
    claim('a', '1.0.0', 'prod'),
    claim('b', '1.1.0', 'dev'),
    claim('c', '2.0.0', null),
  ]);

  it('count in their own environment, and those of every environment everywhere', () => {
    expect(claims.takenFrom(claim('new', '', 'prod'))).toEqual(['1.0.0', '2.0.0']);
  });

  it('all count against a tool of every environment', () => {
    expect(claims.takenFrom(claim('new', '', null))).toEqual(['1.0.0', '1.1.0', '2.0.0']);
  });

  it('do not count against the tool that has them, nor against other names', () => {
    expect(claims.takenFrom(claim('a', '', 'prod'))).toEqual(['2.0.0']);
    expect(claims.takenFrom(claim('new', '', 'prod', 'getOther'))).toEqual([]);
  });
});

describe('tools of one name that change together', () => {
  it('never meet, whatever becomes of each', () => {
    const grade = fc.constantFrom('none', 'breaking', 'compatible', 'wording');
    const version = fc.constantFrom('1.0.0', '1.0.1', '1.1.0', '2.0.0');
    const tools = fc.uniqueArray(fc.record({ version, grade }), { selector: (tool) => tool.version });
    fc.assert(
      fc.property(tools, (changes) => {
        const held = changes.map((tool, index) => claim(String(index), tool.version, 'prod'));
        const taken = takenInTurn(held, new NameClaims(held));
        const after = changes.map((tool, index) =>
          tool.grade === 'none'
            ? tool.version
            : nextVersion(tool.version, tool.grade as 'wording', taken.get(String(index))),
        );
        expect(new Set(after).size).toBe(after.length);
      }),
      many(100),
    );
  });
});
