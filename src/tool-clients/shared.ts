/** What other slices use of the rules, shapes and schemas of tool-clients/. Pure. */
export { interfaceOf, warningLine } from './tool-clients.js';
