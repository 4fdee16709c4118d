/** npm hands a Ctrl-C on to a process that the terminal has told already: that is not a second request. */
const echoMs = 1_000;

/**
 * Resolves with the first signal that asks to stop. A later one does not wait for what is under way: it ends the process
 * at once, with the status that a shell expects.
 */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    let askedAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (askedAt !== undefined && Date.now() - askedAt > echoMs) {
        // By the kernel: `process.exit` waits for a write to a log that nobody reads.
        process.removeListener(signal, onSignal);
        process.kill(process.pid, signal);
      }
      askedAt ??= Date.now();
      resolve(signal);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
