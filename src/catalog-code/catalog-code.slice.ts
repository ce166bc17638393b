import { sliceOf } from '../kernel/slice.js';
import { codeOwner } from './code-owner.record.js';

export const catalogCodeSlice = sliceOf('catalog-code', [codeOwner]);
