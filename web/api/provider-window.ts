import { apiUrl } from './client.ts';

/** Connects pages of this browser, so that the provider's window can report that it is done. */
const channelName = 'parapet-provider';

/**
 * Opens the provider in a separate window, so that unsaved input on this page stays. Returns a function that stops listening, or
 * undefined if the browser blocked the window.
 */
export function confirmAtProvider(onDone: () => void): (() => void) | undefined {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = onDone;
  const url = apiUrl('/oidc/begin?purpose=step_up');
  if (!window.open(url, 'parapet-provider', 'popup,width=520,height=720')) {
    channel.close();
    return undefined;
  }
  return () => channel.close();
}

/** Called by the page that the provider's window returns to. */
export function reportConfirmed(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('confirmed');
  channel.close();
  window.close();
}
