import { expect, it } from 'vitest';
import { superlinear } from '../../test/support/growth.ts';
import { hostileTexts } from '../../test/support/hostile-texts.ts';
import { readRecord } from './audit-logs/read-record.ts';
import { readAlerts, readDecisions } from './crowdsec/read-answers.ts';
import { LineSplitter, maxLine } from './log-file/split-lines.ts';
import { readRules } from './rule-book.ts';
import { strippedPath } from './strip/path.ts';
import { strippedAddress, strippedHost, stripRequest } from './strip/strip-request.ts';

/** Texts of clients, wherever a firewall writes them, are read in linear time. */

const stripped = (record: ReturnType<typeof readRecord>) => {
  if (typeof record === 'object') stripRequest(record, new Map(), { clients: 'network' });
};

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'a record of ModSecurity 3': text =>
    stripped(
      readRecord(
        'modsecurity3',
        JSON.stringify({
          transaction: {
            ...{ client_ip: text, time_stamp: 'Thu Nov 26 09:09:33 2026', unique_id: text },
            request: { method: text, uri: text, headers: { [text]: text, host: text, cookie: text } },
            producer: { modsecurity: text, secrules_engine: text, components: [text] },
            messages: [
              { details: { ruleId: '942100', severity: text, tags: [text] } },
              { details: { ruleId: text } },
            ],
          },
        }),
        new Map(),
      ),
    ),
  'a record of ModSecurity 2': text =>
    stripped(
      readRecord(
        'modsecurity2',
        JSON.stringify({
          transaction: { time: '26/Nov/2026:09:09:33.7 +0000', remote_address: text },
          request: { request_line: text, headers: { host: text, cookie: text } },
          audit_data: {
            messages: [
              `Warning. ${text} [file "a"] [id "942100"] [data "${text}"] [tag "${text}"]`,
              `[file "${text}`,
            ],
            producer: [text, text],
            engine_mode: text,
          },
        }),
        new Map(),
      ),
    ),
  'a record of Coraza': text =>
    stripped(
      readRecord(
        'coraza',
        JSON.stringify({
          transaction: {
            ...{ unix_timestamp: 1_795_684_173_000_000_000, client_ip: text, is_interrupted: true },
            request: {
              method: text,
              uri: `https://${text}`,
              headers: { host: [text], cookie: [text, text] },
            },
            producer: { version: text, rule_engine: text, rulesets: [text] },
          },
          messages: [{ data: { id: 942100, severity: text, tags: [text] } }],
        }),
        new Map(),
      ),
    ),
  'any text': text => {
    for (const engine of ['modsecurity3', 'modsecurity2', 'coraza'] as const)
      readRecord(engine, text, new Map());
  },
  'a path, a host and an address': text => [
    strippedPath(text),
    strippedPath(`/${text}`),
    strippedHost(text),
    strippedAddress(text, 'network'),
  ],
  'an alert and a decision': text => {
    const fields = { scenario: text, scope: text, value: text, origin: text, type: text, duration: text };
    readAlerts([{ id: 1, start_at: text, stop_at: text, ...fields, source: fields }], 'network');
    readDecisions([{ id: 1, ...fields }], 'network');
  },
  rules: text => readRules(`SecRule ARGS "${text}" "id:1,msg:'${text}'"\n${text}`, new Map()),
  lines: text => new LineSplitter().split(Buffer.from(text)),
};

const texts = hostileTexts(30, [
  '[file "',
  '[id "',
  '" [',
  'https://',
  '%25',
  'Sec',
  'msg:',
  ',',
  '\\\n',
  'SecRule ',
]);

it.each(Object.entries(readers))('reads %s', { timeout: 120_000 }, (_, read) => {
  const slow = texts.flatMap(text => {
    const problem = superlinear(
      share => {
        const input = text.of(64 * 1024 * share);
        return () => read(input);
      },
      { within: 400, noise: 40 },
    );
    return problem === undefined ? [] : [`${text.name}: ${problem}`];
  });
  expect(slow).toEqual([]);
});

it('splits a long line that arrives in pieces, with bounded memory', { timeout: 120_000 }, () => {
  const problem = superlinear(
    share => {
      const splitter = new LineSplitter();
      const piece = Buffer.alloc(1_000, 'a');
      return () => {
        for (let index = 0; index < 100_000 * share; index++) splitter.split(piece);
        expect(splitter.pending).toBe(Math.ceil(100_000 * share) * 1_000);
      };
    },
    { within: 1_000, noise: 100 },
  );
  expect(problem).toBe(undefined);
  expect(maxLine).toBe(1_000_000);
});
