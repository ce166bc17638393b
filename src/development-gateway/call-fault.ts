/** A call that came to nothing: a stable code and words that a model can learn from. It becomes an `isError` result. */
export class CallFault extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type Arguments = Readonly<Record<string, unknown>>;

export function invalidArgument(name: string, detail: string): CallFault {
  return new CallFault('invalid_arguments', `/${name} ${detail}.`);
}
