/** Milliseconds in which a second signal is ignored: npm forwards a Ctrl-C that the terminal has already sent. */
const echoMs = 1_000;

/**
 * Resolves with the first SIGINT or SIGTERM. A later one ends the process immediately, with the status of that signal.
 *
 * @param beforeEnd ends what must not outlive the process
 */
export function untilStopped(beforeEnd: () => void = () => {}): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt !== undefined && Date.now() - firstAt > echoMs) {
        // Not process.exit, which waits for a blocked write to the log.
        beforeEnd();
        process.removeListener(signal, onSignal);
        process.kill(process.pid, signal);
      }
      firstAt ??= Date.now();
      resolve(signal);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
