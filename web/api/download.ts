import type { MouseEvent } from 'react';
import { ApiError } from './api-error.ts';
import { request } from './client.ts';

/**
 * Of a link to a file: the browser would save the refusal of a download that takes a step-up, so that is asked for first.
 */
export async function downloadSteppedUp(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
  event.preventDefault();
  const { href } = event.currentTarget;
  try {
    await request('GET', '/step-up');
  } catch (error) {
    // Who turned it down has seen the dialog. Anything else the download itself tells.
    if (error instanceof ApiError && error.code === 'step_up_required') return;
  }
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}
