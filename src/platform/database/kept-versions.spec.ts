import { Conditions } from './conditions.js';
import { readAtVersions } from './kept-versions.js';

const tools = { present: 'now', kept: 'then', id: 'tool_id', version: 'version' };

describe('where rows are read for an agent', () => {
  it('is what it is for others, as long as nobody keeps to another version', () => {
    const where = new Conditions().add('host_id = ?', 'h');
    expect(readAtVersions(where, tools, [])).toBe('now');
    expect(where.values).toEqual(['h']);
  });

  it('has each row that is kept once, at its version', () => {
    const where = new Conditions().add('host_id = ?', 'h');
    const from = readAtVersions(where, tools, [{ id: 't', version: '1.0.0' }]);
    expect(from.replace(/\s+/g, ' ')).toBe(
      '(SELECT * FROM now WHERE tool_id <> ALL ($2::uuid[]) UNION ALL ' +
        'SELECT * FROM then WHERE (tool_id, version) IN (SELECT * FROM unnest($2::uuid[], $3::text[]))) now',
    );
    expect(where.values).toEqual(['h', ['t'], ['1.0.0']]);
  });
});
