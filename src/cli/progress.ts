const firstWord = 1_000;
const terminalBeat = 1_000;
const plainBeat = 10_000;

/**
 * Says on stderr that long work goes on: after a second, then every second on one line of a terminal, every ten
 * seconds on a line of its own elsewhere. Short work stays silent.
 */
export async function withProgress<T>(
  work: string,
  run: (say: (state: string) => void) => Promise<T>,
): Promise<T> {
  const { stderr } = process;
  const started = Date.now();
  const spoken = { once: false, state: '' };
  const show = (): void => {
    const line = [`${work} …`, spoken.state, seconds(started)].filter((part) => part !== '').join(' ');
    stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    spoken.once = true;
  };
  // They keep no process alive that has nothing else to wait for.
  const first = setTimeout(show, firstWord).unref();
  const beat = setInterval(show, stderr.isTTY ? terminalBeat : plainBeat).unref();
  try {
    return await run((text) => {
      spoken.state = text;
    });
  } finally {
    clearTimeout(first);
    clearInterval(beat);
    if (spoken.once) stderr.write(`${stderr.isTTY ? '\r\u001b[K' : ''}${work}: ${seconds(started)}\n`);
  }
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(0)} s`;
}
