import { distinctForms, unionOf, unknown, type Form, type Member, type ObjectForm } from './form.js';

/** Of a definition; undefined while it is being read. */
type Definition = (to: string) => Form | undefined;

/**
 * Members of definitions that are written out where several definitions hold at once, in one document. What refers to much from many
 * places would else come to their product, and to two to the power of its depth.
 */
const MOST_MEMBERS = 50_000;

/** Objects within each other that are written out where several definitions hold at once: compilers read and print types by recursion. */
const MOST_NESTED = 50;

/** Makes one form of those that hold of a value at once, as `allOf` has them. */
export class FormMerger {
  private membersOfDefinitions = 0;
  private nested = 0;
  /** Pairs of definitions that are being merged: members that lead to them again are left open. */
  private readonly open = new Set<string>();

  constructor(private readonly definition: Definition) {}

  /** @returns undefined where the form can't say it */
  merged(parts: readonly Form[]): Form | undefined {
    const telling = distinctForms(parts.filter(({ kind }) => kind !== 'unknown'));
    let [form = unknown] = telling;
    for (let place = 1; place < telling.length;) {
      const objects = form.kind === 'object' ? [form, ...this.objectsFrom(telling, place)] : [];
      const next = objects.length > 1 ? this.allObjects(objects) : this.both(form, telling[place] ?? unknown);
      if (next === undefined) return undefined;
      form = next;
      place += Math.max(objects.length - 1, 1);
    }
    return form;
  }

  /** As far as all are objects: merged one by one each would be copied with all before it. */
  private objectsFrom(telling: readonly Form[], from: number): readonly ObjectForm[] {
    const objects: ObjectForm[] = [];
    for (let place = from; place < telling.length; place++) {
      const object = asObject(this.settled(telling[place] ?? unknown));
      if (object === undefined) break;
      objects.push(object);
    }
    return objects;
  }

  private both(one: Form, other: Form): Form | undefined {
    if (one.kind !== 'reference' || other.kind !== 'reference') return this.bothSettled(one, other);
    const pair = JSON.stringify([one.to, other.to]);
    if (one.to === other.to) return one;
    if (this.open.has(pair)) return undefined;
    this.open.add(pair);
    const form = this.bothSettled(one, other);
    this.open.delete(pair);
    return form;
  }

  private bothSettled(one: Form, other: Form): Form | undefined {
    if (sameForm(one, other)) return one;
    const [a, b] = [this.settled(one), this.settled(other)];
    if (a === undefined || b === undefined) return undefined;
    if (a.kind === 'unknown') return b;
    if (b.kind === 'unknown') return a;
    if (a.kind === 'map' && a.values.kind === 'unknown' && b.kind === 'object') return b;
    if (b.kind === 'map' && b.values.kind === 'unknown' && a.kind === 'object') return a;
    if (a.kind === 'object' && b.kind === 'object') return this.allObjects([a, b]);
    if (sameForm(a, b)) return a;
    return narrower(a, b) ?? narrower(b, a);
  }

  private settled(form: Form): Form | undefined {
    if (form.kind !== 'reference') return form;
    const found = this.definition(form.to);
    this.membersOfDefinitions += found?.kind === 'object' ? found.members.length + 1 : 1;
    return this.membersOfDefinitions > MOST_MEMBERS ? undefined : found;
  }

  private allObjects(objects: readonly ObjectForm[]): Form {
    const members = new Map<string, Member>();
    for (const object of objects)
      for (const member of object.members) {
        const known = members.get(member.name);
        members.set(member.name, known === undefined ? member : this.bothMembers(known, member));
      }
    return {
      kind: 'object',
      members: [...members.values()],
      ...(objects.some(({ further }) => further !== undefined) && { further: unknown }),
    };
  }

  private bothMembers(a: Member, b: Member): Member {
    const presence = PRESENCE[Math.max(PRESENCE.indexOf(a.presence), PRESENCE.indexOf(b.presence))];
    return {
      ...b,
      ...a,
      form: this.within([a.form, b.form]) ?? unknown,
      presence: presence ?? a.presence,
      description: a.description || b.description,
    };
  }

  private within(parts: readonly Form[]): Form | undefined {
    if (this.nested === MOST_NESTED) return undefined;
    this.nested += 1;
    const form = this.merged(parts);
    this.nested -= 1;
    return form;
  }
}

/** As it stands beside an object: what says nothing more is one without members. */
function asObject(form: Form | undefined): ObjectForm | undefined {
  if (form?.kind === 'object') return form;
  const isOpen = form?.kind === 'unknown' || (form?.kind === 'map' && form.values.kind === 'unknown');
  return isOpen ? { kind: 'object', members: [] } : undefined;
}

const PRESENCE = ['optional', 'filled', 'required'] as const;

const sameForm = (a: Form, b: Form): boolean => a.kind === b.kind && JSON.stringify(a) === JSON.stringify(b);

/** `a` where whatever is of it is of `b`; its alternatives that are of `b`. */
function narrower(a: Form, b: Form): Form | undefined {
  if (b.kind === 'union') return b.of.some((one) => sameForm(one, a)) ? a : undefined;
  if (a.kind === 'union') {
    const left = a.of.filter((one) => sameForm(one, b));
    return left.length > 0 ? unionOf(left) : undefined;
  }
  if (a.kind === 'integer' && b.kind === 'number') return a;
  if (a.kind !== 'literals') return undefined;
  if (b.kind === 'literals') {
    const known = new Set(b.values);
    const values = a.values.filter((value) => known.has(value));
    return values.length > 0 ? { kind: 'literals', values } : undefined;
  }
  const isOfB = (value: unknown): boolean =>
    b.kind === 'number' || b.kind === 'integer' ? typeof value === 'number' : typeof value === b.kind;
  return a.values.every(isOfB) ? a : undefined;
}
