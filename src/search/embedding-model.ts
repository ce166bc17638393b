/** Names under which vectors are kept: the model's, and all else that they depend on. Pure. */

/**
 * `model`, or `model?pooling=mean&dtype=q8`: texts embedded under one name are comparable, and what is empty says
 * nothing.
 */
export function modelName(model: string, made: Readonly<Record<string, string>>): string {
  const telling = Object.entries(made).filter(([, value]) => value !== '');
  return telling.length === 0 ? model : `${model}?${new URLSearchParams(telling).toString()}`;
}

/** What {@link modelName} was given; what was empty is absent. */
export function modelOf(name: string): { readonly model: string } & Readonly<Record<string, string>> {
  const [model = '', made = ''] = name.split('?');
  return { ...Object.fromEntries(new URLSearchParams(made)), model };
}
