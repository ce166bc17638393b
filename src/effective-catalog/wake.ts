/** Remembers that something was noted until somebody has looked. Ends with its signal. */
export class Wake {
  private noted = false;
  private resolve: (() => void) | undefined;

  constructor(private readonly ended: AbortSignal) {
    ended.addEventListener(
      'abort',
      () => {
        this.resolve?.();
      },
      { once: true },
    );
  }

  note(): void {
    this.noted = true;
    this.resolve?.();
  }

  /** Waits for what was noted and not looked at yet; false at the end. */
  async next(): Promise<boolean> {
    if (!this.noted && !this.ended.aborted) {
      await new Promise<void>((resolve) => {
        this.resolve = resolve;
      });
    }
    this.noted = false;
    return !this.ended.aborted;
  }
}
