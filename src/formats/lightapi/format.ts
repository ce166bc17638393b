import { member, type JsonObject } from '../../documents/json.js';
import type { Format } from '../format.js';

export const lightapi = {
  name: 'lightapi',
  apiType: 'lightapi',
  title: 'a LightAPI description',
  signs: 'LightAPI 0.1.0 (`lightapi`)',
  recognise: (document) => member(document, 'lightapi') !== undefined,
  read: async ({ value }, context) => {
    const { readLightApi } = await import('./read-lightapi.js');
    return readLightApi(value as JsonObject, context);
  },
} as const satisfies Format;
