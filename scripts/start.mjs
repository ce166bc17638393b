/** `npm start`: installs and builds where needed, then becomes the service, so that signals reach it directly. */
import { build, install, main } from './set-up.mjs';

await main(async () => {
  await install();
  await build();
  process.setSourceMapsEnabled(true);
  await import('../dist/src/main.js');
});
