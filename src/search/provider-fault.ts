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
