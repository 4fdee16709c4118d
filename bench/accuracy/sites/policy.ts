import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';

/** A strict content security policy under which the page still works: its inline scripts are allowed by their hashes. */
export function policyFor(html: string): string {
  const hashes = new Set<string>();
  const hosts = { script: new Set<string>(), style: new Set<string>() };
  let script: string | undefined;
  let hasHandlers = false;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const external = /^(?:https?:)?\/\/[^\s;,]+/.exec(attributes.src ?? attributes.href ?? '')?.[0];
      const url = external?.replace(/^(?:http:)?\/\//, 'https://').replace(/[?#].*/, '');
      if (name === 'script') script = attributes.src === undefined ? '' : undefined;
      if (name === 'script' && url !== undefined) hosts.script.add(url);
      if (name === 'link' && url !== undefined && /stylesheet/i.test(attributes.rel ?? ''))
        hosts.style.add(url);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (!/^on[a-z]+$/.test(attribute)) continue;
        hasHandlers = true;
        hashes.add(hashOf(value));
      }
    },
    ontext: text => {
      if (script !== undefined) script += text;
    },
    onclosetag: name => {
      if (name !== 'script') return;
      if (script !== undefined && script !== '') hashes.add(hashOf(script));
      script = undefined;
    },
  });
  parser.end(html);
  const scripts = ["'self'", ...hashes, ...(hasHandlers ? ["'unsafe-hashes'"] : []), ...hosts.script];
  return [
    "default-src 'self'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${["'self'", "'unsafe-inline'", ...hosts.style].join(' ')}`,
    "img-src 'self' data: blob: https:",
    "font-src 'self' data: https:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
