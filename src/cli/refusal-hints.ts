import { limits } from '../contract/limits.ts';
import type { Answer } from './client.ts';

/** Possible causes of a 401, as far as the client can check them: the service never reveals which check failed. */
export function hintsFor401(answer: Answer, token: string): string[] {
  return [
    'The answer does not state the reason; the log of the service does, with the request ID. Check the following:',
    `- ${clockHint(answer.clockAhead)}`,
    ...(/^svc_(live|probe)_/.test(token)
      ? []
      : ['- PARAPET_TOKEN does not start with svc_live_ or svc_probe_. Set it to the bearer token.']),
    '- PARAPET_TOKEN, PARAPET_TOKEN_ID and PARAPET_SIGNING_KEY must belong to the same key.',
    '- The key may be expired, revoked or restricted to other IP addresses. To check, run `parapet keys list --organization ID` on the host of the service.',
    `- The limit is ${limits.keyRequestsPerMinute} requests per minute for a key and ${limits.organizationRequestsPerMinute} for an organization. Wait a minute and try again.`,
    '- PARAPET_URL may point to another service, or to a proxy that changes the path or headers.',
    '- If the service sets PARAPET_BRAND, set it to the same value here.',
  ];
}

/** For the operator, who finds the request in the log. Empty if something in between answered. */
export function requestIdLine({ requestId }: Pick<Answer, 'requestId'>): string[] {
  return requestId === undefined ? [] : [`Request ID ${requestId}`];
}

function clockHint(ahead: number | undefined): string {
  if (ahead === undefined) return 'The clock could not be compared: the answer has no Date header.';
  const away = Math.abs(ahead);
  if (away <= 2) return 'The clock is correct: it matches the server.';
  const direction = ahead > 0 ? 'behind' : 'ahead of';
  const verdict =
    away > limits.clockWindowSeconds
      ? `more than the allowed ${limits.clockWindowSeconds} s. Correct it`
      : `within the allowed ${limits.clockWindowSeconds} s`;
  return `The clock of this machine is ${away} s ${direction} the server, ${verdict}.`;
}
