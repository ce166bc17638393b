import { sliceOf } from '../kernel/slice.js';
import { publicEntry } from './public-entry.record.js';

export const discoverySlice = sliceOf('discovery', [publicEntry]);
