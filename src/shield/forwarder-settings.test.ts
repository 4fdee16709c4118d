import { expect, it } from 'vitest';
import { exampleFor } from './example.ts';
import { parseForwarderFile } from './forwarder-settings.ts';

function mistakesOf(text: string): string[] {
  try {
    parseForwarderFile(text, 'f');
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

it('reads the file that init writes for a firewall', () => {
  const { logs, crowdsec, strip } = parseForwarderFile(
    exampleFor([{ engine: 'crowdsec', api: 'http://127.0.0.1:8080' }]),
  );
  expect(logs).toEqual([]);
  expect(crowdsec).toEqual({
    url: 'http://127.0.0.1:8080',
    machine: undefined,
    bouncerKey: { file: '/etc/parapet/crowdsec-bouncer-key' },
  });
  expect(strip).toEqual({ clients: 'network' });
  expect(mistakesOf(exampleFor([]))).toEqual(['f:1: logs or crowdsec is needed']);
});

it.each([
  [
    'an unknown engine',
    'logs: [{ engine: snort, path: /a }]',
    'f:3: logs[0].engine must be one of modsecurity3, modsecurity2, coraza',
  ],
  ['a relative path', 'logs: [{ engine: coraza, path: a }]', 'f:3: logs[0].path must be an absolute path'],
  ['no login', 'crowdsec: { url: "http://h" }', 'f:3: crowdsec.machine or bouncer_key_file is needed'],
  [
    'a key in the file',
    'crowdsec: { bouncer_key: x }',
    'f:3: crowdsec.bouncer_key must not be in this file: use bouncer_key_env, bouncer_key_file or bouncer_key_command',
  ],
])('names %s with its line', (_, settings, mistake) => {
  const text = `name: edge\nservice: { url: https://parapet.example.com }\n${settings}\n`;
  expect(mistakesOf(text)).toContain(mistake);
});
