import { describe, expect, it } from 'vitest';
import { captureWith, home, notSeen, pageWith, seen } from '../hardened-capture.ts';
import { secretsDetector } from './detector.ts';
import { pem } from './planted/random.ts';
import { planted } from './planted.ts';

const key = pem('PRIVATE KEY');
const prose =
  '<p>The file has one or more keys. Each key is followed by its certificate chain. Keys come first. <code>a</code></p>'.repeat(
    50,
  );
/** Of a file that is shown: a cookie notice has sentences too. */
const notice = '<p>We use cookies to remember your choices. You can change them at any time. </p>'.repeat(8);
const found = (body: string, status = 200) =>
  secretsDetector
    .detect(pageWith({ body: `<!doctype html><html><body>${body}</body></html>`, status }))
    .observations.map(({ check, severity }) => `${check} ${severity ?? 'usual'}`);
const usual = ['secrets.private_key usual'];
const asSample = ['secrets.private_key info'];

describe('a private key in a code sample', () => {
  it.each<[string, string]>([
    ['of a manual', `${prose}<pre>${key}</pre>${prose}`],
    [
      'with classes and nested elements',
      `${prose}<PRE class="x"><code><span>$</span> cat k\n${key}</code></PRE>`,
    ],
    ['next to a comment of a framework', `${prose}<code>a<!-- -->${key}</code>`],
    ['of WireGuard', `${prose}<pre>${planted['wireguard-key']!.text}</pre>`],
  ])('%s is information', (_, body) => expect(found(body)).toEqual(asSample));

  it.each<[string, string]>([
    ['of a page that is a file', `<title>server.key</title><h1>server.key</h1><pre>${key}</pre>`],
    ['of a file beside a notice', `<h1>server.key</h1>${notice}<pre><code>${key}</code></pre>`],
    [
      'of a list of files',
      `${'<a href="/tree/a">config</a> <b>Files</b> '.repeat(80)}<pre><code>${key}</code></pre>`,
    ],
    ['and in a comment', `${prose}<pre>${key}</pre><!-- ${key} -->`],
    ['and in a comment of the sample', `${prose}<pre><!-- ${key} --></pre>`],
    ['and in an attribute', `${prose}<pre data-copy="${key}">${key}</pre>`],
    ['and in a script', `${prose}<pre>${key}</pre><script>var k=${JSON.stringify(key)}</script>`],
    ['within a script', `${prose}<script>var t="<pre>${key.replaceAll('\n', '\\n')}</pre>"</script>`],
    ['within a comment', `${prose}<!-- <pre>${key}</pre> -->`],
    ['and in the text', `${prose}<pre>${key}</pre><p>${key}</p>`],
    ['that is never closed', `${prose}<pre>${key}`],
    ['of an exception page', `${prose}<div class="Whoops container"><pre>${key}</pre></div>`],
  ])('%s is a leak', (_, body) => expect(found(body)).toEqual(usual));

  it('of an error is a leak', () => {
    expect(found(`${prose}<pre>${key}</pre>`, 500)).toEqual(usual);
  });

  it('says why it is information', () => {
    const { observations } = secretsDetector.detect(pageWith({ body: `<html>${prose}<pre>${key}</pre>` }));
    expect(observations.map(({ seen: told }) => told)).toEqual([
      'The page "/" shows a private key in a code sample among explanations, as documentation does.',
    ]);
  });

  it('is judged the same where only its finding is verified', () => {
    const url = `${home}manual.html`;
    const page = pageWith({ url, body: `<!doctype html>${prose}<pre>${key}</pre>` }).page;
    const capture = captureWith({
      page: notSeen(),
      revisited: seen([{ kind: 'private-key', url, response: page }]),
    });
    expect(secretsDetector.detect(capture).observations.map(({ severity }) => severity)).toEqual(['info']);
  });

  it('does not excuse a key of a service', () => {
    const { text } = planted['stripe-live-key']!;
    expect(found(`${prose}<pre>${text}</pre>`)).toEqual(['secrets.payment_key usual']);
  });
});
