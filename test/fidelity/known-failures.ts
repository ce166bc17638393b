/** Calls of which it is known that they are not right, or can't be judged, with the reason. Nothing else may be so. */
const known: readonly { readonly document: RegExp; readonly key: RegExp; readonly why: string }[] = [
  {
    document: /malicious-code-injection/,
    key: /^/,
    why: 'Its path key is a program in which braces and question marks stand for themselves; no reader can tell.',
  },
  {
    document: /polymorphism/,
    key: /one-of/,
    why: 'Exactly one of several objects, all members of which may be left out: merged, they are offered together, and a model may give those of two.',
  },
  {
    document: /api\.github\.com/,
    key: /projectsV2\/\{project_number\}\/fields@post$|attestations\/delete-request@post$|campaigns@post$/,
    why: 'Exactly one of several objects again, which a body that is merged does not say.',
  },
];

export const isKnown = (document: string, key: string): boolean =>
  known.some((each) => each.document.test(document) && each.key.test(key));
