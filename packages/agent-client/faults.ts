/** Something that came as a catalog and is none. `what` follows "The catalog can't be used: ". */
export class FaultyCatalog extends Error {
  constructor(what: string) {
    super(`The catalog can't be used: ${what}.`);
  }
}

/** The catalog could not be asked, or its answer is of no use. What is known of it may still be used for a while. */
export class CatalogUnavailable extends Error {
  constructor(
    message: string,
    /** When to ask again at the earliest, if the service said so. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** The catalog says that this token is given nothing (any more): what is known of it must not be used either. */
export class CatalogRefused extends Error {}

/** The gateway could not be asked for its tools, or its answer is of no use. */
export class GatewayUnavailable extends Error {}

/** Words for a fault of whatever kind, without what a stranger may have put into its causes. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
