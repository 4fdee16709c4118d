/**
 * Resolves with the first signal that asks to stop. A second one does not wait for what is under way: it ends the
 * process at once, with the status that a shell expects.
 */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (asked) process.exit(signal === 'SIGINT' ? 130 : 143);
      asked = true;
      resolve(signal);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}
