/** The provider could not be asked, or gave what can't be used. Its message holds no text and no secret. */
export class ProviderFault extends Error {
  constructor(
    message: string,
    /** Whether asking again may help. */
    readonly passing: boolean,
    /** Milliseconds that the provider asks to wait. */
    readonly wait?: number,
  ) {
    super(message);
  }
}

/** One of these texts is to blame, or what came back for it: the provider is well, and may take the others. */
export class TextFault extends ProviderFault {
  constructor(message: string) {
    super(message, false);
  }
}

/** What `who` gives can't be compared with what the catalog has. */
export function anotherDimension(who: string, given: number, wanted: number): ProviderFault {
  const what = `gives ${String(given)} dimensions where the catalog has ${String(wanted)}`;
  return new ProviderFault(`${who} ${what}: choose another EMBEDDING_MODEL.`, false);
}
