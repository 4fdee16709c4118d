import type { CustomFetch } from 'openid-client';

/**
 * `fetch` with a size limit for responses, in bytes after decompression.
 *
 * @returns a fetch whose response body fails with an error beyond the limit
 */
export function boundedFetch(mostBytes: number): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > mostBytes) controller.error(new Error(`response exceeds ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(bound), { status, statusText, headers });
  };
}
