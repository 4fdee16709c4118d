import { apiUrl } from './client.ts';

/** Between the pages of this browser: the window at the provider says when it is done. */
const channelName = 'parapet-provider';

/**
 * Opens the provider in a window of its own, so that what is typed here stays. Returns what stops listening; undefined where
 * the browser has blocked the window.
 */
export function confirmAtProvider(onDone: () => void): (() => void) | undefined {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = onDone;
  const address = apiUrl('/oidc/begin?purpose=step_up');
  if (!window.open(address, 'parapet-provider', 'popup,width=520,height=720')) {
    channel.close();
    return undefined;
  }
  return () => channel.close();
}

/** Called by the page that the provider's window comes back to. */
export function tellConfirmed(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('confirmed');
  channel.close();
  window.close();
}
