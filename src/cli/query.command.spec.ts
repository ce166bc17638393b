import { graphTable } from './query.command.js';

const all = { has_more: false, total_rows: null };

describe('the answer of the graph as a table', () => {
  it('has a block for each kind of node, and one for what relates them', () => {
    const lines = graphTable({
      nodes: [
        { type: 'Skill', id: 's1', name: 'Orders' },
        { type: 'Tool', id: 't1', name: 'listOrders', destructive: false },
        { type: 'Tool', id: 't2', name: 'placeOrder', destructive: true },
      ],
      edges: [{ from: 'Skill', from_id: 's1', to: 'Tool', to_id: 't1', type: 'USES_TOOL' }],
      pagination: all,
    });
    expect(lines).toEqual([
      'type   id  name',
      'Skill  s1  Orders',
      '',
      'type  id  name        destructive',
      'Tool  t1  listOrders  false',
      'Tool  t2  placeOrder  true',
      '',
      'from   from_id  to    to_id  type',
      'Skill  s1       Tool  t1     USES_TOOL',
    ]);
  });

  it('has the rows of an aggregation, and says how to go on', () => {
    const rows = [{ domain: 'orders', tools: 2 }, { domain: null, tools: 1 }, 7];
    const pagination = { has_more: true, total_rows: 9, next_cursor: 'abc' };
    expect(graphTable({ nodes: [], edges: [], rows, pagination })).toEqual([
      'domain  tools  value',
      'orders  2',
      '        1',
      '               7',
      'More: --after abc',
    ]);
  });

  it('says that nothing was found, and keeps each cell in a line of its own', () => {
    expect(graphTable({ nodes: [], edges: [], pagination: all })).toEqual(['Nothing was found.']);
    const description = `Two\nlines, ${'and more '.repeat(20)}`;
    const [, line = ''] = graphTable({ nodes: [{ type: 'Tool', description }], edges: [], pagination: all });
    expect(line).toMatch(/^Tool {2}Two lines, and more .*…$/);
    expect(line.length).toBeLessThan(80);
  });
});
