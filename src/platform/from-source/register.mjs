import { register } from 'node:module';

/** Lets a process run from the TypeScript sources: under jest, where nothing is built. Never part of the built service. */
register('./typescript-hooks.mjs', import.meta.url);
