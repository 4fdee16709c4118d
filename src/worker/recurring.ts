/**
 * Does the work now, and again `everyMs` after each time it ends. A failure is reported and does not stop it.
 */
export function recur(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const turn = async () => {
    await work().catch(onError);
    if (!stopped) timer = setTimeout(turn, everyMs);
  };
  timer = setTimeout(turn, everyMs);
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
