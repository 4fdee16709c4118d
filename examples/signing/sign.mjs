#!/usr/bin/env node
// Send a signed request: node sign.mjs METHOD PATH [BODY]
// Check offline:         node sign.mjs --self-check docs/test-vector.json
// Needs Node 18 or newer. Environment: PARAPET_URL, PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY.
import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Reads "svc_sign_" + base64url of the private key in PKCS#8 DER. */
function readKey(signingKey) {
  const key = Buffer.from(signingKey.replace(/^svc_sign_/, ''), 'base64url');
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The message to sign, without the query string and without the path of PARAPET_URL. */
function canonicalMessage({ method, path, timestamp, nonce, body, tokenId }) {
  const [pathname] = path.split('?');
  const digest = createHash('sha256').update(body).digest('hex');
  return ['v2', method, pathname, timestamp, nonce, 'application/json', digest, tokenId, '2'].join('|');
}

/** 128 lowercase hex characters. */
function signature(message, key) {
  return sign(null, Buffer.from(message, 'utf8'), key).toString('hex');
}

function selfCheck(file) {
  const vector = JSON.parse(readFileSync(file, 'utf8'));
  const key = readKey(vector.signing_key);
  for (const request of vector.requests) {
    const message = canonicalMessage({ ...request, tokenId: vector.token_id });
    const same = message === request.canonical_message && signature(message, key) === request.signature;
    console.error(`${same ? 'ok' : 'differs'}: ${request.method} ${request.path}`);
    if (!same) process.exitCode = 1;
  }
}

async function send(method, path, givenBody = '') {
  const body = ['GET', 'HEAD', 'DELETE'].includes(method) ? '' : givenBody;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  const tokenId = needed('PARAPET_TOKEN_ID');
  const message = canonicalMessage({ method, path, timestamp, nonce, body, tokenId });
  const response = await fetch(needed('PARAPET_URL').replace(/\/$/, '') + path, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${needed('PARAPET_TOKEN')}`,
      'content-type': 'application/json',
      'x-service-timestamp': timestamp,
      'x-service-nonce': nonce,
      'x-service-token-id': tokenId,
      'x-service-signature': signature(message, readKey(needed('PARAPET_SIGNING_KEY'))),
    },
    ...(body === '' ? {} : { body }),
  });
  console.error(`HTTP ${response.status}`);
  process.stdout.write(Buffer.from(await response.arrayBuffer()));
  if (!response.ok) process.exitCode = 1;
}

function needed(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set`);
  process.exit(2);
}

const [first, second, third] = process.argv.slice(2);
if (first === '--self-check' && second !== undefined) {
  selfCheck(second);
} else if (second !== undefined) {
  await send(first, second, third);
} else {
  console.error('usage: sign.mjs METHOD PATH [BODY] | sign.mjs --self-check FILE');
  process.exitCode = 2;
}
