import fc from 'fast-check';
import { fitArguments, nameAll, type Nameable } from './naming.js';
import { many } from '../../test/soak.js';

const operation = (key: string, toolName?: string): Nameable => {
  const [path = '', method = ''] = key.split('@');
  return { key, method, path, toolName };
};

describe('nameAll', () => {
  it('takes a fitting operation id as it is', () => {
    expect(nameAll([operation('/a@get', 'listThings')]).get('/a@get')).toBe('listThings');
  });

  it('makes odd ids fit', () => {
    const names = nameAll([
      operation('/a@get', 'repos/list-for-org'),
      operation('/b@get', 'Größe ändern'),
      operation('/c@get', '日本'),
      operation('/d/{id}/e@put'),
      operation('/e@call', '__proto__'),
      operation('@ '),
    ]);
    expect([...names.values()].sort()).toEqual([
      'Gro_e_andern',
      'call',
      'get_c',
      'proto',
      'put_d_id_e',
      'repos_list-for-org',
    ]);
  });

  it('leaves a name to the one whose own it is, and gives others a hash of their key', () => {
    const names = nameAll([
      operation('/a@get', 'a b'),
      operation('/z@get', 'a_b'),
      operation('/b@get', 'a.b'),
    ]);
    expect(names.get('/z@get')).toBe('a_b');
    expect(names.get('/a@get')).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(names.get('/b@get')).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  it('cuts long names and keeps them apart', () => {
    const long = 'x'.repeat(104);
    const names = [...nameAll([operation('/a@get', `${long}1`), operation('/b@get', `${long}2`)]).values()];
    expect(names[0]).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(new Set(names).size).toBe(2);
  });

  it('gives fitting unique names, in whatever order the operations come', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    const keys = fc.uniqueArray(text, { minLength: 1, maxLength: 20 });
    const odd = fc.oneof(text, fc.constantFrom<string | undefined>('a', 'a b', 'a.b', undefined));
    fc.assert(
      fc.property(keys, fc.infiniteStream(odd), (all, ids) => {
        const operations = all.map((key) => operation(key, ids.next().value as string | undefined));
        const names = nameAll(operations);
        for (const name of names.values()) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(new Set(names.values()).size).toBe(all.length);
        const turned = nameAll(operations.toReversed());
        for (const key of all) expect(turned.get(key)).toBe(names.get(key));
      }),
      many(100),
    );
  });
});

describe('names that begin with what models refuse', () => {
  it('get a line in front', () => {
    const names = nameAll([
      operation('/a@get', '2fa_enable'),
      operation('/b@get', '-x'),
      operation('/c@get', '_2fa_enable'),
    ]);
    expect(names.get('/c@get')).toBe('_2fa_enable');
    expect(names.get('/a@get')).toMatch(/^_2fa_enable_[0-9a-f]{8}$/);
    expect(names.get('/b@get')).toBe('_-x');
  });
});

describe('fitArguments', () => {
  const fitted = (...names: string[]) => Object.fromEntries(fitArguments(names));

  it('leaves names alone that fit', () => {
    expect(fitted('id', '_links', 'a.b', 'a-b', '0', 'x'.repeat(64))).toEqual({});
  });

  it('makes the others fit', () => {
    expect(
      fitted(
        'include[]',
        '$top',
        'filter[status]',
        'user_fields[1]',
        '[old.v1.trace]',
        '_links[]',
        'Größe',
        'a b c',
      ),
    ).toEqual({
      ...{
        'include[]': 'include',
        $top: 'top',
        'filter[status]': 'filter_status',
        'user_fields[1]': 'user_fields_1',
      },
      ...{ '[old.v1.trace]': 'old.v1.trace', '_links[]': '_links', Größe: 'Gro_e', 'a b c': 'a_b_c' },
    });
  });

  it('keeps different names different, whatever their order', () => {
    const names = ['id[]', 'id', '$id', 'id$', '中文', '日本', `${'x'.repeat(70)}a`, `${'x'.repeat(70)}b`];
    const all = fitArguments(names);
    const given = [...all.values(), 'id'];
    expect(new Set(given).size).toBe(names.length);
    for (const name of given) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    expect(fitArguments(names.toReversed())).toEqual(all);
  });

  it('holds for any names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), (names) => {
        const all = fitArguments(names);
        const given = names.map((name) => all.get(name) ?? name);
        return (
          new Set(given).size === names.length && given.every((name) => /^[a-zA-Z0-9_.-]{1,64}$/.test(name))
        );
      }),
      many(300),
    );
  });
});
