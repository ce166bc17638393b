import { sameForm, unionOf, unknown, type Form, type Member, type ObjectForm } from './form.js';

type Definition = (to: string) => Form | undefined;

/**
 * One form of those that hold of a value at once, as `allOf` has them.
 *
 * @param definition of a reference; undefined while it is being read
 * @returns undefined where the form can't say it
 */
export function merged(parts: readonly Form[], definition: Definition): Form | undefined {
  const telling = parts.filter(({ kind }) => kind !== 'unknown');
  const [first, ...others] = telling;
  return others.reduce<Form | undefined>(
    (form, other) => (form === undefined ? undefined : both(form, other, definition)),
    first ?? unknown,
  );
}

function both(one: Form, other: Form, definition: Definition): Form | undefined {
  if (sameForm(one, other)) return one;
  const [a, b] = [settled(one, definition), settled(other, definition)];
  if (a === undefined || b === undefined) return undefined;
  if (a.kind === 'unknown') return b;
  if (b.kind === 'unknown') return a;
  if (a.kind === 'map' && a.values.kind === 'unknown' && b.kind === 'object') return b;
  if (b.kind === 'map' && b.values.kind === 'unknown' && a.kind === 'object') return a;
  if (a.kind === 'object' && b.kind === 'object') return bothObjects(a, b, definition);
  if (sameForm(a, b)) return a;
  return narrower(a, b) ?? narrower(b, a);
}

function settled(form: Form, definition: Definition): Form | undefined {
  return form.kind === 'reference' ? definition(form.to) : form;
}

/** `a` where whatever is of it is of `b`; its alternatives that are of `b`. */
function narrower(a: Form, b: Form): Form | undefined {
  if (b.kind === 'union') {
    const left = b.of.filter((one) => sameForm(one, a));
    return left.length > 0 ? a : undefined;
  }
  if (a.kind === 'union') {
    const left = a.of.filter((one) => sameForm(one, b));
    return left.length > 0 ? unionOf(left) : undefined;
  }
  if (a.kind === 'integer' && b.kind === 'number') return a;
  if (a.kind !== 'literals') return undefined;
  if (b.kind === 'literals') {
    const values = a.values.filter((value) => b.values.includes(value));
    return values.length > 0 ? { kind: 'literals', values } : undefined;
  }
  const isOfB = (value: unknown): boolean =>
    b.kind === 'number' || b.kind === 'integer' ? typeof value === 'number' : typeof value === b.kind;
  return a.values.every(isOfB) ? a : undefined;
}

const PRESENCE = ['optional', 'filled', 'required'] as const;

function bothObjects(a: ObjectForm, b: ObjectForm, definition: Definition): Form {
  const members = new Map(a.members.map((member) => [member.name, member]));
  for (const member of b.members) {
    const known = members.get(member.name);
    members.set(member.name, known === undefined ? member : bothMembers(known, member, definition));
  }
  const further = a.further ?? b.further;
  return {
    kind: 'object',
    members: [...members.values()],
    ...(further !== undefined && { further: unknown }),
  };
}

function bothMembers(a: Member, b: Member, definition: Definition): Member {
  const presence = PRESENCE[Math.max(PRESENCE.indexOf(a.presence), PRESENCE.indexOf(b.presence))];
  return {
    ...b,
    ...a,
    form: merged([a.form, b.form], definition) ?? unknown,
    presence: presence ?? a.presence,
    description: a.description || b.description,
  };
}
