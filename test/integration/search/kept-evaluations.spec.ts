import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import type { Caller } from '../../../src/platform/auth/caller.js';
import {
  deleteDataSet,
  evaluationOf,
  insertEvaluation,
  listDataSets,
  putDataSet,
} from '../../../src/search/evaluation/evaluations.queries.js';
import { eachDatabase } from '../databases.js';

const caller: Caller = {
  ...{ actor: { user: 'olga' }, issuer: 'test', hostId: randomUUID(), expiresAt: 0, fingerprint: '' },
  ...{ services: 'all', environments: ['dev'], scopes: new Set(['catalog:write'] as const) },
};
const run = () => ({
  ...{ id: v7(), dataSet: 'self', agentDefId: null, position: 1, confusions: [], results: [] },
  metrics: {
    ...{ prompts: 0, hit1: 0, recall: { 1: 0, 3: 0, 5: 0, 10: 0 }, mrr: 0, ndcg10: 0, forbiddenHits: 0 },
    latency: { p50: 0, p99: 0 },
  },
});

eachDatabase((open) => {
  it('the newest 200 runs of callers with the same rights are kept, and those of others are left alone', async () => {
    const database = await open();
    const sql = database.of(caller.hostId);
    const other = { ...caller, hostId: randomUUID() };
    const theirs = await insertEvaluation(database.of(other.hostId), other, run());
    // Who reads little of the host can't crowd out what others have found.
    const narrower = { ...caller, services: ['desk'] };
    const narrow = await insertEvaluation(sql, narrower, run());
    const ids: string[] = [];
    for (let at = 0; at < 203; at += 1) ids.push((await insertEvaluation(sql, caller, run())).id);
    const kept = await sql.query<{ id: string }>('SELECT evaluation_id AS id FROM evaluation_t ORDER BY 1');
    expect(kept.map(({ id }) => id)).toEqual([narrow.id, ...ids.slice(3)]);
    await expect(evaluationOf(sql, caller, ids[0] ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await evaluationOf(database.of(other.hostId), other, theirs.id)).toMatchObject({ id: theirs.id });
  });

  it('a host keeps 100 data sets; one that is there may be put again, and one that is deleted makes room', async () => {
    const database = await open();
    const sql = database.of(caller.hostId);
    const rows = [{ prompt: 'x', expect: ['a'] }];
    for (let at = 0; at < 100; at += 1) await putDataSet(sql, caller, `set ${String(at)}`, rows);
    await expect(putDataSet(sql, caller, 'further', rows)).rejects.toMatchObject({ code: 'too_many_sets' });
    expect(await putDataSet(sql, caller, 'set 7', [...rows, ...rows])).toMatchObject({ rowCount: 2 });
    await deleteDataSet(sql, caller.hostId, 'set 8');
    await putDataSet(sql, caller, 'further', rows);
    const { items } = await listDataSets(sql, caller.hostId, { active: 'true', limit: 500 });
    expect(items).toHaveLength(100);
  });
});
