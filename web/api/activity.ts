/** Milliseconds after an input in which requests count as the person's. */
const attended = 60_000;

// Opening the page is the first input. The wall clock goes on while the machine sleeps.
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
export function isAttended(): boolean {
  return Date.now() - lastInput < attended;
}
