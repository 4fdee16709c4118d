import { limits } from '../contract/limits.ts';
import type { Answer } from './client.ts';

/** What a 401 can mean, as far as this side can tell: the service never says which check failed. */
export function hintsFor401(answer: Answer, token: string): string[] {
  return [
    'The service does not say why it refuses. What to look at:',
    `- ${clockHint(answer.clockAhead)}`,
    ...(/^svc_(live|probe)_/.test(token)
      ? []
      : ['- PARAPET_TOKEN does not begin with svc_live_ or svc_probe_: is it the bearer token?']),
    '- PARAPET_TOKEN, PARAPET_TOKEN_ID and PARAPET_SIGNING_KEY must come from one mint.',
    "- The key may be revoked or expired, or allow other addresses only: `parapet keys list --organization ID` on the service's host shows it.",
    `- A key has ${limits.keyRequestsPerMinute} requests a minute and an organization ${limits.organizationRequestsPerMinute}: wait a minute, then try once.`,
    '- PARAPET_URL may name another service, or a proxy that changes the path or the headers.',
    '- If the operator has set PARAPET_BRAND, set the same here.',
  ];
}

function clockHint(ahead: number | undefined): string {
  if (ahead === undefined) return 'The clock: the answer has no Date header, so it cannot be compared.';
  const away = Math.abs(ahead);
  if (away <= 2) return "The clock is fine: it agrees with the server's.";
  const direction = ahead > 0 ? 'behind' : 'ahead of';
  const verdict =
    away > limits.clockWindowSeconds
      ? `more than the ${limits.clockWindowSeconds} that are allowed: set it`
      : `within the ${limits.clockWindowSeconds} that are allowed`;
  return `This machine's clock is ${away} s ${direction} the server's, ${verdict}.`;
}
