import { callImplementations } from '../../test/clients/called-implementations.js';

callImplementations(['python', 'ruby']);
