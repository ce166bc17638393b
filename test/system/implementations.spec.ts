import { callImplementations } from '../clients/called-implementations.js';

/** In the other languages: `npm run soak generators`. */
callImplementations(['typescript']);
