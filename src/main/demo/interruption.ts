/** SIGINT, SIGTERM, SIGHUP and a closed output stream, as an `AbortSignal`. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves on interruption. */
  readonly happened: Promise<void>;
  /** 128 plus the number of the signal, as shells expect. */
  exitStatus(): number;
  /** Settles with the work, or rejects on interruption. The work itself is not canceled. */
  race<T>(work: Promise<T>): Promise<T>;
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** Only the first signal counts: npm forwards a Ctrl-C that the terminal has already sent, and clean-up must finish. */
export function listenForInterruption(): Interruption {
  const controller = new AbortController();
  let status = 0;
  const interrupt = (number: number) => {
    if (controller.signal.aborted) return;
    status = 128 + number;
    controller.abort();
  };
  for (const [name, number] of Object.entries(signals)) process.on(name, () => interrupt(number));
  // The reader closed the pipe, as in `parapet demo | head`: Node reports SIGPIPE as a stream error.
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
