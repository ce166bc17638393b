/** Nobody is there after so many milliseconds without a key or the pointer: a page that is left open keeps no session alive. */
const NOBODY = 10 * 60_000;
const LOOKING = 30_000;

/** Says, at first and at each change until the signal, whether somebody looks at the page: it is shown, and was used lately. */
export function watchPresence(changed: (isThere: boolean) => void, until: AbortSignal): void {
  let used = Date.now();
  let was: boolean | undefined;
  const look = (): void => {
    const is = document.visibilityState === 'visible' && Date.now() - used < NOBODY;
    if (is !== was) changed((was = is));
  };
  const use = (): void => {
    used = Date.now();
    look();
  };
  for (const kind of ['visibilitychange', 'keydown', 'pointermove', 'pointerdown', 'wheel'])
    document.addEventListener(kind, use, { signal: until, passive: true });
  const timer = setInterval(look, LOOKING);
  until.addEventListener('abort', () => {
    clearInterval(timer);
  });
  look();
}
