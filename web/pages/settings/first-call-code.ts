import type { KeyKind } from '../../../src/contract/keys.ts';

/** First calls in languages, as complete programs. They read the variables of `parapet.env`. */

/** What a key of each kind can do first: read findings, or send an event. */
const calls = {
  dashboard: { method: 'GET', path: '/api/v1/findings' },
  probe: { method: 'POST', path: '/functions/v1/events-ingest' },
} as const;

export function pythonExample(kind: KeyKind, brand: string): string {
  const { method, path } = calls[kind];
  const body =
    kind === 'dashboard'
      ? ['body = b""']
      : [
          'event = {"id": str(uuid.uuid4()), "kind": "probe.hello",',
          '         "occurred_at": datetime.now(timezone.utc).isoformat(timespec="milliseconds")}',
          'body = json.dumps({"events": [event]}).encode()',
        ];
  return [
    ...(kind === 'dashboard'
      ? ['import base64, hashlib, os, secrets, time, urllib.request']
      : [
          'import base64, hashlib, json, os, secrets, time, urllib.request, uuid',
          'from datetime import datetime, timezone',
        ]),
    'from cryptography.hazmat.primitives.serialization import load_der_private_key',
    '',
    `method, path = "${method}", "${path}"`,
    ...body,
    'token_id = os.environ["PARAPET_TOKEN_ID"]',
    'der = base64.urlsafe_b64decode(os.environ["PARAPET_SIGNING_KEY"].removeprefix("svc_sign_"))',
    'timestamp, nonce = str(int(time.time())), secrets.token_hex(16)',
    'digest = hashlib.sha256(body).hexdigest()',
    'message = f"v2|{method}|{path}|{timestamp}|{nonce}|application/json|{digest}|{token_id}|2"',
    'signature = load_der_private_key(der, password=None).sign(message.encode()).hex()',
    'headers = {',
    '    "Authorization": "Bearer " + os.environ["PARAPET_TOKEN"],',
    '    "Content-Type": "application/json",',
    `    "x-${brand}-timestamp": timestamp,`,
    `    "x-${brand}-nonce": nonce,`,
    `    "x-${brand}-token-id": token_id,`,
    `    "x-${brand}-signature": signature,`,
    '}',
    'url = os.environ["PARAPET_URL"] + path',
    'request = urllib.request.Request(url, body or None, headers, method=method)',
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n');
}

export function javascriptExample(kind: KeyKind, brand: string): string {
  const { method, path } = calls[kind];
  const sends = kind === 'probe';
  const event = "{ id: randomUUID(), kind: 'probe.hello', occurred_at: new Date().toISOString() }";
  return [
    `import { createHash, createPrivateKey, ${sends ? 'randomUUID' : 'randomBytes'}, sign } from 'node:crypto';`,
    '',
    'const { PARAPET_URL, PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY } = process.env;',
    `const [method, path] = ['${method}', '${path}'];`,
    ...(sends ? [`const body = JSON.stringify({ events: [${event}] });`] : ["const body = '';"]),
    "const der = Buffer.from(PARAPET_SIGNING_KEY.replace('svc_sign_', ''), 'base64url');",
    "const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });",
    'const timestamp = String(Math.floor(Date.now() / 1000));',
    `const nonce = ${sends ? 'randomUUID()' : "randomBytes(16).toString('hex')"};`,
    "const digest = createHash('sha256').update(body).digest('hex');",
    "const message = ['v2', method, path, timestamp, nonce, 'application/json', digest, PARAPET_TOKEN_ID, '2'].join('|');",
    'const response = await fetch(PARAPET_URL + path, {',
    '  method,',
    '  headers: {',
    "    authorization: 'Bearer ' + PARAPET_TOKEN,",
    "    'content-type': 'application/json',",
    `    'x-${brand}-timestamp': timestamp,`,
    `    'x-${brand}-nonce': nonce,`,
    `    'x-${brand}-token-id': PARAPET_TOKEN_ID,`,
    `    'x-${brand}-signature': sign(null, Buffer.from(message), key).toString('hex'),`,
    '  },',
    ...(sends ? ['  body,'] : []),
    '});',
    'console.log(await response.text());',
    'process.exitCode = response.ok ? 0 : 1;',
  ].join('\n');
}

export function goExample(kind: KeyKind, brand: string): string {
  const { method, path } = calls[kind];
  const body =
    kind === 'dashboard'
      ? ['\tbody := ""']
      : [
          '\tid := make([]byte, 16)',
          '\trand.Read(id)',
          '\tbody := fmt.Sprintf(`{"events":[{"id":"%x-%x-%x-%x-%x","kind":"probe.hello","occurred_at":"%s"}]}`,',
          '\t\tid[:4], id[4:6], id[6:8], id[8:10], id[10:], time.Now().UTC().Format(time.RFC3339))',
        ];
  return [
    'package main',
    '',
    'import (',
    ...[
      ...['crypto/ed25519', 'crypto/rand', 'crypto/sha256', 'crypto/x509', 'encoding/base64', 'encoding/hex'],
      ...['fmt', 'io', 'net/http', 'os', 'strings', 'time'],
    ].map(name => `\t"${name}"`),
    ')',
    '',
    'func check(err error) {',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '}',
    '',
    'func main() {',
    `\tmethod, path := "${method}", "${path}"`,
    ...body,
    '\tder, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(os.Getenv("PARAPET_SIGNING_KEY"), "svc_sign_"))',
    '\tcheck(err)',
    '\tkey, err := x509.ParsePKCS8PrivateKey(der)',
    '\tcheck(err)',
    '\trandom := make([]byte, 16)',
    '\t_, err = rand.Read(random)',
    '\tcheck(err)',
    '\ttimestamp, nonce := fmt.Sprint(time.Now().Unix()), hex.EncodeToString(random)',
    '\tdigest := fmt.Sprintf("%x", sha256.Sum256([]byte(body)))',
    '\ttokenID := os.Getenv("PARAPET_TOKEN_ID")',
    '\tmessage := strings.Join([]string{"v2", method, path, timestamp, nonce, "application/json", digest, tokenID, "2"}, "|")',
    '\trequest, err := http.NewRequest(method, os.Getenv("PARAPET_URL")+path, strings.NewReader(body))',
    '\tcheck(err)',
    '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("PARAPET_TOKEN"))',
    '\trequest.Header.Set("Content-Type", "application/json")',
    `\trequest.Header.Set("x-${brand}-timestamp", timestamp)`,
    `\trequest.Header.Set("x-${brand}-nonce", nonce)`,
    `\trequest.Header.Set("x-${brand}-token-id", tokenID)`,
    `\trequest.Header.Set("x-${brand}-signature", hex.EncodeToString(ed25519.Sign(key.(ed25519.PrivateKey), []byte(message))))`,
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tcheck(err)',
    '\t_, err = io.Copy(os.Stdout, response.Body)',
    '\tcheck(err)',
    '\tif response.StatusCode > 299 {',
    '\t\tos.Exit(1)',
    '\t}',
    '}',
  ].join('\n');
}
