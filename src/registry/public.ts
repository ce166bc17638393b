/** What slices above use of registry/ beside its pure rules: reading that is done in a thread where it is long. */
export { readingForReads, readingForWrites, type SpecReading } from './specs/spec-reading.pool.js';
