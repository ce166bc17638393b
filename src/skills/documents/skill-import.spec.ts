import type { NamedTool } from '../../tools/tool/tool.lookup.js';
import { resolveTools, type WantedTool } from './skill-import.js';

const tool = (toolId: string, name: string, more: Partial<NamedTool> = {}): NamedTool => ({
  ...{ toolId, name, version: '1.0.0', description: '', active: true },
  safety: { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false },
  ...{ apiId: null, apiName: null, apiVersion: null, endpoint: null },
  ...more,
});
const wanted = (more: Partial<WantedTool> = {}): WantedTool => ({
  ...{ reference: 'get', names: ['get'], config: {} },
  ...more,
});
const none: ReadonlySet<string> = new Set();
/** The id of the tool that is meant, or why none is. */
const resolved = (one: WantedTool, known: readonly NamedTool[], linked: ReadonlySet<string>): unknown => {
  const { found, unresolved } = resolveTools([one], known, linked);
  return found[0]?.toolId ?? unresolved[0]?.reason;
};

describe('the tool that a document means', () => {
  it('is behind the endpoint that it names, whatever its name', () => {
    const endpoint = { apiId: 'a', apiVersion: '1', key: '/x@get' };
    const behind = tool('1', 'other', { apiId: 'a', apiVersion: '1', endpoint: '/x@get' });
    const known = [tool('2', 'get'), behind, tool('3', 'get2', { ...behind, toolId: '3', apiVersion: '2' })];
    expect(resolved(wanted({ endpoint }), known, none)).toBe('1');
    expect(resolved(wanted({ endpoint }), [tool('2', 'get')], none)).toBe('2');
  });

  it('is the linked one, else the active one, else the only one of its name', () => {
    const known = [tool('1', 'get'), tool('2', 'get'), tool('3', 'get', { active: false })];
    expect(resolved(wanted(), known, new Set(['3']))).toBe('3');
    expect(resolved(wanted(), known.slice(1), none)).toBe('2');
    expect(resolved(wanted(), known.slice(2), none)).toBe('3');
    expect(resolved(wanted(), known, none)).toBe('ambiguous');
    expect(resolved(wanted(), [], none)).toBe('not_found');
  });

  it('may be named with its API in front', () => {
    const of = (toolId: string, apiId: string) => tool(toolId, 'get', { apiId, apiVersion: '1' });
    const known = [of('1', 'orders'), of('2', 'bank')];
    expect(resolved(wanted(), known, none)).toBe('ambiguous');
    expect(resolved(wanted({ names: ['bank/get'] }), known, none)).toBe('2');
    expect(resolved(wanted({ names: ['shop/get'] }), known, none)).toBe('not_found');
  });

  it('may be named with its API version in front, where versions of one API have namesakes', () => {
    const of = (toolId: string, apiVersion: string) => tool(toolId, 'get', { apiId: 'orders', apiVersion });
    const known = [of('1', '1.0.0'), of('2', '2.0.0')];
    expect(resolved(wanted({ names: ['orders/get'] }), known, none)).toBe('ambiguous');
    expect(resolved(wanted({ names: ['orders@2.0.0/get'] }), known, none)).toBe('2');
    expect(resolved(wanted({ names: ['orders@3.0.0/get'] }), known, none)).toBe('not_found');
    expect(resolved(wanted({ names: ['orders@/get'] }), known, none)).toBe('not_found');
  });

  it('may have one of several names, the first that is there', () => {
    const names = ['mcp__bank__get', 'get'];
    expect(resolved(wanted({ names }), [tool('1', 'get')], none)).toBe('1');
  });

  it('leaves namesakes that are linked where they are, unless the document means them one by one', () => {
    const known = [tool('1', 'get'), tool('2', 'get', { active: false }), tool('3', 'get')];
    const linked = new Set(['1', '2']);
    const once = resolveTools([wanted()], known, linked);
    expect(once.unresolved).toMatchObject([
      { kind: 'tool', reference: 'get', reason: 'ambiguous', choices: [{ name: 'get' }, { name: 'get' }] },
    ]);
    expect([once.found, [...once.meant]]).toEqual([[], ['1', '2']]);
    const [first, second] = [wanted({ config: { priority: 1 } }), wanted({ config: { priority: 2 } })];
    const twice = resolveTools([first, second], known, linked);
    expect(twice.unresolved).toEqual([]);
    expect(twice.found).toEqual([
      { toolId: '1', tool: first },
      { toolId: '2', tool: second },
    ]);
  });

  it('is what is left when another reference says by its endpoint which of the namesakes it means', () => {
    const endpoint = { apiId: 'a', apiVersion: '1', key: '/x@get' };
    const behind = tool('1', 'get', { apiId: 'a', apiVersion: '1', endpoint: '/x@get' });
    const script = wanted({ config: { notes: 'The script.' } });
    const { found } = resolveTools(
      [script, wanted({ endpoint })],
      [behind, tool('2', 'get')],
      new Set(['1', '2']),
    );
    expect(found.map(({ toolId, tool }) => [toolId, tool.config])).toEqual([
      ['2', script.config],
      ['1', {}],
    ]);
  });
});
