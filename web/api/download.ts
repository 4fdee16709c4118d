import type { MouseEvent } from 'react';
import { ApiError } from './api-error.ts';
import { request } from './client.ts';

/** Handles a click on a link to a file: requires the step-up first, since a browser would save the refusal as the file. */
export async function downloadAfterStepUp(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
  event.preventDefault();
  const { href } = event.currentTarget;
  try {
    await request('GET', '/step-up');
  } catch (error) {
    // The person has dismissed the dialog. Any other problem shows up in the download itself.
    if (error instanceof ApiError && error.code === 'step_up_required') return;
  }
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
