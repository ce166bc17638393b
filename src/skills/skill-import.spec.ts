import type { NamedTool } from '../tools/tool.lookup.js';
import { resolveTool, type WantedTool } from './skill-import.js';

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

describe('the tool that a document means', () => {
  it('is behind the endpoint that it names, whatever its name', () => {
    const endpoint = { apiId: 'a', apiVersion: '1', key: '/x@get' };
    const behind = tool('1', 'other', { apiId: 'a', apiVersion: '1', endpoint: '/x@get' });
    const known = [tool('2', 'get'), behind, tool('3', 'get2', { ...behind, toolId: '3', apiVersion: '2' })];
    expect(resolveTool(wanted({ endpoint }), known, none)).toMatchObject({ toolId: '1' });
    expect(resolveTool(wanted({ endpoint }), [tool('2', 'get')], none)).toMatchObject({ toolId: '2' });
  });

  it('is the linked one, else the active one, else the only one of its name', () => {
    const known = [tool('1', 'get'), tool('2', 'get'), tool('3', 'get', { active: false })];
    expect(resolveTool(wanted(), known, new Set(['3']))).toMatchObject({ toolId: '3' });
    expect(resolveTool(wanted(), known.slice(1), none)).toMatchObject({ toolId: '2' });
    expect(resolveTool(wanted(), known.slice(2), none)).toMatchObject({ toolId: '3' });
    expect(resolveTool(wanted(), known, none)).toEqual({
      kind: 'tool',
      reference: 'get',
      reason: 'ambiguous',
    });
    expect(resolveTool(wanted(), [], none)).toEqual({ kind: 'tool', reference: 'get', reason: 'not_found' });
  });

  it('may have one of several names, the first that is there', () => {
    const names = ['mcp__bank__get', 'get'];
    expect(resolveTool(wanted({ names }), [tool('1', 'get')], none)).toMatchObject({ toolId: '1' });
  });
});
