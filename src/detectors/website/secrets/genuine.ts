/** Words that only examples contain. Short ones would also occur in random text. */
const exampleWords =
  /example|sample|placeholder|dummy|redacted|ch[a4]ng[e3][_-]?m[e3]|replace|insert|secret|xxxx|your[_-]|[_-]here|\bfoo/i;

/** Values of the documentation of services. */
const documented = /PQTZTL-HGL84-G64M7|^kx(?:%40|@)jj5|30a-4C_tVOnTh14Piza2BfTPBXyLafLPWSzY1qAjeBfM/;

const longestRun = 5;

/**
 * Whether the random part of a secret appears random. In documentation, templates and masks, it does not:
 * they contain example words, few different characters, long runs (`aaaaaa`) or sequences (`123456`,
 * `1a2b3c4d5e6f`).
 */
export function looksGenuine(secret: string): boolean {
  if (exampleWords.test(secret) || documented.test(secret)) return false;
  if (new Set(secret).size < Math.min(8, secret.length / 2.5) || isWords(secret)) return false;
  return !hasSteps(secret, 1, 0) && !hasSteps(secret, 1, 1) && !hasSteps(secret, 2, 1);
}

/** Letters of words, such as `confluenceCloudOAuth2Api`: random ones change their case more often. */
function isWords(text: string): boolean {
  const digits = text.match(/\d/g)?.length ?? 0;
  if (text.length < 20 || digits * 12 > text.length) return false;
  if (digits > 0 && (text.match(/[a-z][A-Z]/g)?.length ?? 0) < 2) return false;
  const breaks = text.match(/[^a-z]/g)?.length ?? 0;
  if (/[bcdfghjklmnpqrstvwxz]{6}/i.test(text)) return false;
  return breaks * 4 <= text.length || !/[a-z]/.test(text);
}

/** Whether each of a few characters in a row is `step` more than the one `distance` before it. */
function hasSteps(text: string, distance: number, step: number): boolean {
  let length = 0;
  for (let at = distance; at < text.length; at++) {
    length = text.charCodeAt(at) - text.charCodeAt(at - distance) === step ? length + 1 : 0;
    if (length >= longestRun) return true;
  }
  return false;
}

/**
 * Whether letters, digits and signs alternate often, as in generated values. In `Rechnung2024`, they do not.
 *
 * @param share changes per character, 0.7 on average for random ones
 */
export function hasManyChanges(value: string, share: number): boolean {
  const kind = (letter: string) =>
    /\d/.test(letter) ? 0 : /[a-z]/.test(letter) ? 1 : /[A-Z]/.test(letter) ? 2 : 3;
  let changes = 0;
  for (let at = 1; at < value.length && at < 200; at++)
    if (kind(value[at]!) !== kind(value[at - 1]!)) changes++;
  return changes >= share * Math.min(value.length, 200);
}

/** Passwords of examples and local databases. */
const trivialPasswords = new Set(
  'admin,changeme,foobared,guest,hunter2,letmein,mypassword,mysecretpassword,mysql,p4ssw0rd,p@ssw0rd,pass,pass1234,passw0rd,passwd,password,password1,password123,postgres,postgresql,pwd,root,s3cr3t,s3cret,secret,test,test1234,user,username,123456,12345678'.split(
    ',',
  ),
);

const examplePassword =
  /^(?:my|your|the|db|user|some|super)?[_-]?(?:pass(?:word|wd)?|pw|pwd|secret|token)[_-]?(?:here|123)?$|^[a-z]{0,12}[_-]?(?:pass(?:word|wd)?|pwd?)$|^pass(?:word|wd)?[_-](?:for|of|on)[_-]|^ch[a4]ng[e3][_-]?m[e3]|your|example|redacted/i;

/** Templates, such as `${name}`, `{{name}}`, `%s`, `<name>` and `****`. */
const template = /\$\{|^\$|%[sdv]|[<>[\]{}]|\*\*|\.\.\.|^[x.*•]+$/i;

/** Hosts of documentation and tests (RFC 2606), the local machine, and usual names in examples and containers. */
const exampleHost =
  /^(?:localhost|127\.|0\.0\.0\.0|\[::1)|(?:^|\.)(?:example|your\w{0,20})(?:\.|$)|\.(?:test|invalid|localhost|local|docker\.internal)$|^(?:my-?)?(?:host|hostname|server|db|database|domain|site|mysql|postgres|redis|mongo|mongodb|rabbitmq)(?:\.(?:com|org|net|tld))?$|(?:^|\.)(?:my|some|the)?(?:company|corp|organi[sz]ation|acme|domain|foo|bar|foobar)\.(?:com|org|net|io|tld|internal)$/i;

/** Whether the user, password and host of a URL may be real and reachable by others. */
export function isGenuineLogin(user: string, password: string, host: string): boolean {
  const plain = password.toLowerCase();
  // By convention, anyone may sign in as this user.
  if (/^anonymous$/i.test(user)) return false;
  // Oracle's example.
  if (/^scott$/i.test(user) && plain.startsWith('tiger')) return false;
  if (trivialPasswords.has(plain) || plain === user.toLowerCase()) return false;
  return (
    !documented.test(password) &&
    !examplePassword.test(password) &&
    !template.test(password + user) &&
    !exampleHost.test(host)
  );
}
