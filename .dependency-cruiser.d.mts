/** What the tests use of the fences. */
export const floors: readonly string[];
export const slices: readonly string[];
export const inner: Readonly<Record<string, readonly string[]>>;
declare const fences: { readonly forbidden: readonly { readonly name: string; readonly comment: string }[] };
export default fences;
