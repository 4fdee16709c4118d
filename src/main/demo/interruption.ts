/** Ctrl-C and its kin, as an `AbortSignal`. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves when it happens. */
  readonly happened: Promise<void>;
  /** The exit status that a shell expects of a process that the signal ended. */
  exitStatus(): number;
  /** The work's outcome, or a rejection at once when interrupted; the work itself goes on. */
  race<T>(work: Promise<T>): Promise<T>;
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Listens from now on. Signals after the first change nothing: npm passes Ctrl-C on although the terminal has sent it
 * already, and what is being cleared away must be cleared away to the end.
 */
export function listenForInterruption(): Interruption {
  const controller = new AbortController();
  let status = 0;
  const interrupt = (number: number) => {
    if (controller.signal.aborted) return;
    status = 128 + number;
    controller.abort();
  };
  for (const [name, number] of Object.entries(signals)) process.on(name, () => interrupt(number));
  // Nobody reads any more, as in `parapet demo | head`: SIGPIPE, which Node turns into an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => interrupt(13));
  const { signal } = controller;
  const happened = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  return {
    signal,
    happened,
    exitStatus: () => status,
    race: work =>
      Promise.race([
        work,
        happened.then(() => {
          throw signal.reason;
        }),
      ]),
  };
}
