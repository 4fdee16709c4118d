/** Milliseconds after an input during which requests count as the person's activity. */
const activeFor = 60_000;

// Opening the page is the first input. Wall-clock time, since it includes time in which the machine sleeps.
let lastInput = Date.now();

for (const kind of ['pointerdown', 'keydown', 'wheel', 'click']) {
  addEventListener(
    kind,
    () => {
      lastInput = Date.now();
    },
    { capture: true, passive: true },
  );
}

/** Whether the person has used this page within the last minute. */
export function isActive(): boolean {
  return Date.now() - lastInput < activeFor;
}
