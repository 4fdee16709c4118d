import type { CustomFetch } from 'openid-client';

/**
 * `fetch` whose answers may have so many bytes, counted after any decompression.
 *
 * @returns a fetch whose response's body fails with an error after that many
 */
export function boundedFetch(mostBytes: number): CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    let bytes = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > mostBytes) controller.error(new Error(`an answer of more than ${mostBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body?.pipeThrough(bound), { status, statusText, headers });
  };
}
