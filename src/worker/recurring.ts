/** Something that is done again and again. */
export interface Recurring {
  stop(): void;
}

/** Does the work now and then, each time `everyMs` after the last one has ended. A failure is told and does not end it. */
export function recur(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Recurring {
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
