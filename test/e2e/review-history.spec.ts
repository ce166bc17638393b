import fc from 'fast-check';
import { guardsWorld } from './guards-world.js';
import { many } from '../soak.js';
import { ReviewedTool, step } from './review-steps.js';
import { eachServer } from './server.js';

/** Four eyes, whatever three people do to a tool, and in whichever order. */
eachServer((server) => {
  const world = guardsWorld(server);
  it('agents read of a tool that came as a spec what somebody else has approved as it is, or an override in the log', async () => {
    const answered = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        async (ofDocument, steps) => {
          const tool = await ReviewedTool.make(server, world, ofDocument);
          for (const [place, taken] of steps.entries()) {
            const said = `${taken.verb} ${await tool.take(taken)}`;
            answered.set(said, (answered.get(said) ?? 0) + 1);
            const faults = await tool.unreviewed(place === steps.length - 1 ? 'all' : 'catalog');
            if (faults.length > 0)
              throw new Error(
                `after ${String(place + 1)} steps, the last ${taken.who} ${said}: ${faults.join('\n')}`,
              );
          }
        },
      ),
      // A history takes a second or two, most of it requests: more of them would outlast the lane's limit for a test.
      { ...many(150, 4), endOnFailure: true },
    );
    // All of this was tried, and some of it let through.
    const often = [
      'approve done',
      'approve own_version',
      'approve insufficient_scope',
      'approve evaluation_needed',
    ];
    expect([...answered.keys()]).toEqual(expect.arrayContaining(often));
  });
});
