import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import type { KeyKind } from '../../../src/contract/keys.ts';

type Secrets = Pick<MintedApiKey, 'token' | 'token_id' | 'signing_key'>;

interface Deployment {
  readonly serviceUrl: string;
  /** The word in the headers of signed requests. */
  readonly brand: string;
}

/** The variables that Parapet's CLI and the examples read. */
export function environmentFile(
  { token, token_id, signing_key }: Secrets,
  { serviceUrl, brand }: Deployment,
): string {
  return [
    `PARAPET_URL=${serviceUrl}`,
    `PARAPET_TOKEN=${token}`,
    `PARAPET_TOKEN_ID=${token_id}`,
    `PARAPET_SIGNING_KEY=${signing_key}`,
    ...(brand === 'service' ? [] : [`PARAPET_BRAND=${brand}`]),
    '',
  ].join('\n');
}

const load = 'set -a; . ./parapet.env; set +a';

/** Reads findings with a dashboard key. A probe key can only send, so it sends an event. */
export function cliExample(kind: KeyKind): string {
  if (kind === 'dashboard') return `${load}\nnpx parapet call GET /api/v1/findings`;
  return `${load}\n${event}\nnpx parapet call POST /functions/v1/events-ingest --body "$body"`;
}

const event = [
  `id=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen | tr A-F a-f)`,
  `body='{"events":[{"id":"'$id'","kind":"probe.hello","occurred_at":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}]}'`,
].join('\n');

/** The same without Parapet's CLI. Secrets go through files and standard input, since other users can see arguments. */
export function curlExample(kind: KeyKind, brand: string): string {
  const sends = kind === 'probe';
  const [method, path] = sends ? ['POST', '/functions/v1/events-ingest'] : ['GET', '/api/v1/findings'];
  return [
    load,
    sends ? event : "body=''",
    `time=$(date +%s) nonce=$(openssl rand -hex 16) work=$(mktemp -d)`,
    `printf %s "\${PARAPET_SIGNING_KEY#svc_sign_}" | tr '_-' '/+' | openssl base64 -d -A > "$work/key"`,
    `digest=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)`,
    `printf %s "v2|${method}|${path}|$time|$nonce|application/json|$digest|$PARAPET_TOKEN_ID|2" > "$work/message"`,
    `signature=$(openssl pkeyutl -sign -rawin -inkey "$work/key" -keyform DER -in "$work/message" | od -An -v -tx1 | tr -d ' \\n')`,
    `rm -r "$work"`,
    `curl --fail-with-body${sends ? ' --data-raw "$body"' : ''} --header @- "$PARAPET_URL${path}" <<END`,
    'Authorization: Bearer $PARAPET_TOKEN',
    'Content-Type: application/json',
    `x-${brand}-timestamp: $time`,
    `x-${brand}-nonce: $nonce`,
    `x-${brand}-token-id: $PARAPET_TOKEN_ID`,
    `x-${brand}-signature: $signature`,
    'END',
  ].join('\n');
}
