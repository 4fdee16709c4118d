import { isBasicUsername, isReservedHeader } from './credential-form.ts';
import { WebsiteUnreachable } from './failure.ts';
import { redacted } from './find.ts';

/** The credential from a source's owner for pages behind a login. */
export type WebsiteCredential =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string };

/**
 * The credential as a header field. Basic is encoded as UTF-8 (RFC 7617).
 *
 * @throws WebsiteUnreachable with `invalid_credential`, which does not contain the credential
 */
export function credentialHeader(credential: WebsiteCredential): [name: string, value: string] {
  if (credential.type === 'basic') {
    const pair = `${credential.username}:${credential.password}`;
    if (!isBasicUsername(credential.username)) throw new WebsiteUnreachable('invalid_credential');
    return ['authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`];
  }
  const name = credential.name.toLowerCase();
  const isToken = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name);
  const isVisible = /^[\x20-\x7e]{1,8192}$/.test(credential.value);
  if (!isToken || !isVisible || isReservedHeader(name)) throw new WebsiteUnreachable('invalid_credential');
  return [name, credential.value];
}

/** Removes a credential that a server echoed, so that it never gets into a capture. */
export function createRedaction(credential: WebsiteCredential | undefined): (text: string) => string {
  if (credential === undefined) return text => text;
  const [, sent] = credentialHeader(credential);
  const secrets = [
    sent,
    sent.replace(/^Basic /, ''),
    credential.type === 'basic' ? credential.password : credential.value.replace(/^Bearer /i, ''),
  ];
  // Replacing very short values would break ordinary text, and they are hardly secret.
  const long = [...new Set(secrets)].filter(secret => secret.length >= 4);
  return text => long.reduce(redacted, text);
}
