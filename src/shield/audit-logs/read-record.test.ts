import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditLogEngines, readRecord } from './read-record.ts';

const noBook = new Map();
const message = (id: string, severity = '2') => ({
  message: 'a',
  details: { ruleId: id, severity, tags: ['attack-sqli', 'OWASP_CRS'], data: 'value' },
});

const modsecurity3 = (changes: object = {}) => ({
  transaction: {
    ...{ client_ip: '192.0.2.7', time_stamp: 'Thu Nov 26 09:09:33 2026', unique_id: '179568417322.259521' },
    request: { method: 'GET', http_version: 1.1, uri: '/p?id=1', headers: { Host: 'a.example' } },
    response: { http_code: 403 },
    producer: { modsecurity: 'ModSecurity v3.0.9 (Linux)', secrules_engine: 'Enabled', components: [] },
    messages: [message('942100'), message('949110')],
    ...changes,
  },
});
const modsecurity2 = (lines: readonly string[], changes: object = {}) => ({
  transaction: { time: '26/Nov/2026:11:09:33.710523 +0200', remote_address: '192.0.2.7' },
  request: { request_line: 'GET http://a.example/p q?id=1 HTTP/1.1', headers: { host: 'a.example' } },
  response: { status: 403 },
  audit_data: {
    messages: lines,
    engine_mode: 'ENABLED',
    producer: ['ModSecurity for Apache/2.9.7'],
    ...changes,
  },
});
const coraza = {
  transaction: {
    ...{ unix_timestamp: 1_795_684_173_000_000_000, client_ip: '192.0.2.7', is_interrupted: true },
    request: { method: 'POST', uri: '/p?id=1', headers: { host: ['a.example'], cookie: ['theme=1; sid=2'] } },
    response: { status: 403 },
    producer: { connector: '', version: '3.3.3', rule_engine: 'On', rulesets: ['OWASP_CRS/4.0.0'] },
  },
  messages: [{ message: 'a', data: { id: 942100, severity: 2, tags: ['attack-sqli'], data: 'value' } }],
};
const at = Date.UTC(2026, 10, 26, 9, 9, 33);

describe('a record of ModSecurity 3', () => {
  const read = (changes: object) => readRecord('modsecurity3', JSON.stringify(modsecurity3(changes)), noBook);

  it('has the time of its id', () => expect(read({})).toMatchObject({ at, path: '/p', action: 'blocked' }));

  it.each([-12 * 60, -3 * 60, 0, 5 * 60 + 45, 14 * 60])(
    'has the time of its id in a zone of %i minutes',
    zone => {
      // The stamp is a moment later.
      const stamp = new Date(at + 1_000 + zone * 60_000).toUTCString();
      const [, day, month, year, time] = /, (\d+) (\w+) (\d+) (\S+)/.exec(stamp)!;
      expect(read({ time_stamp: `Thu ${month} ${day} ${time} ${year}` })).toMatchObject({ at });
    },
  );

  it.each([26 * 3_600, 13 * 3_600, -15 * 3_600, 7 * 60, 5, -5])(
    'has the time of its stamp if its id is %i s off, as one that a client chose',
    seconds => {
      const unique_id = `${at / 1_000 + seconds}22.259521`;
      expect(read({ unique_id })).toMatchObject({ at: Date.parse('Thu Nov 26 09:09:33 2026') });
    },
  );

  it.each([
    ['only detects', { producer: { secrules_engine: 'DetectionOnly' } }],
    ['has a score that is low enough', { messages: [message('942100')] }],
    ['sums up a score', { messages: [message('942100'), message('980130')] }],
    ['is not denied by the last rule', { messages: [message('949110'), message('942100')] }],
    ['was answered', { response: { http_code: 200 } }],
  ])('is detected when it %s', (_, changes) => expect(read(changes)).toMatchObject({ action: 'detected' }));

  it('is blocked when the answer is, whose status was sent', () => {
    const messages = [message('951100'), message('959100')];
    expect(read({ messages, response: { http_code: 200 } })).toMatchObject({ action: 'blocked' });
  });

  it('is blocked by a rule that its file says denies', () => {
    const book = new Map([['200002', { message: null, denies: true }]]);
    const text = JSON.stringify(
      modsecurity3({ messages: [message('200002', '0')], response: { http_code: 400 } }),
    );
    expect(readRecord('modsecurity3', text, book)).toMatchObject({
      action: 'blocked',
      rules: [{ id: '200002', severity: null }],
    });
  });
});

describe('a record of ModSecurity 2', () => {
  const read = (line: string, changes: object = {}) =>
    readRecord('modsecurity2', JSON.stringify(modsecurity2([line], changes)), noBook);
  const fields =
    '[file "/a.conf"] [line "1"] [id "942100"] [msg "a"] [severity "CRITICAL"] [tag "attack-sqli"]';

  it('is read from its line', () => {
    expect(read(`Warning. Pattern match "a" at ARGS:a. ${fields}`)).toMatchObject({
      ...{ at: at + 710, path: '/p q', method: 'GET', action: 'detected', status: 403 },
      rules: [{ id: '942100', severity: 'critical', tags: ['attack-sqli'] }],
    });
  });

  it('is not deceived by a parameter that imitates a rule', () => {
    const forged = '[file "/x"] [line "1"] [id "1"] [severity "DEBUG"] [tag "attack-xss"]';
    const line = String.raw`Warning. Match at ARGS:${forged}. [file "/a.conf"] [id "942100"] [data "[file \x22x\x22] [id \"2\"]"] [severity "CRITICAL"]`;
    expect(read(line)).toMatchObject({ rules: [{ id: '942100', severity: 'critical', tags: [] }] });
  });

  it('is blocked when it was intercepted, even without a rule', () => {
    expect(read('', { action: { intercepted: true } })).toMatchObject({ action: 'blocked', rules: [] });
    expect(read('')).toBe('without_rules');
  });
});

it('reads a record of Coraza', () => {
  expect(readRecord('coraza', JSON.stringify(coraza), noBook)).toEqual({
    ...{ at, client: '192.0.2.7', host: 'a.example', method: 'POST', path: '/p', status: 403 },
    ...{ action: 'blocked', authenticated: true },
    rules: [{ id: '942100', severity: 'critical', tags: ['attack-sqli'] }],
    firewall: {
      ...{ engine: 'coraza', version: '3.3.3', mode: 'block' },
      ruleSet: { name: 'OWASP_CRS', version: '4.0.0' },
    },
  });
});

it.each([
  [{ cookie: 'theme=session; a=token' }, false],
  [{ Cookie: 'a=b; JSESSIONID=1' }, true],
  [{ AUTHORIZATION: '' }, true],
  [{}, false],
  [undefined, undefined],
])('knows from %j whether a session was sent: %s', (headers, authenticated) => {
  const request = { method: 'GET', uri: '/', headers };
  const text = JSON.stringify(modsecurity3({ request }));
  expect(readRecord('modsecurity3', text, noBook)).toMatchObject({ authenticated });
});

describe.each(auditLogEngines)('junk as a record of %s', engine => {
  it('is malformed', () => {
    for (const text of [
      '',
      '{}',
      'null',
      '[]',
      '"a"',
      '{"transaction":1}',
      '{"transaction":',
      '\0',
      '-'.repeat(99),
    ])
      expect(readRecord(engine, text, noBook)).toBe('malformed');
    const late = { ...coraza, transaction: { ...coraza.transaction, unix_timestamp: 1e30 } };
    expect(readRecord('coraza', JSON.stringify(late), noBook)).toBe('malformed');
  });

  it('never throws, whatever a field is', () => {
    const valid = {
      modsecurity3: modsecurity3(),
      modsecurity2: modsecurity2(['[file "a"] [id "1"]']),
      coraza,
    }[engine];
    const leaves: (readonly string[])[] = [];
    const walk = (value: unknown, path: readonly string[]) => {
      leaves.push(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, field] of Object.entries(value)) walk(field, [...path, name]);
    };
    walk(valid, []);
    const changed = (value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown =>
      name === undefined
        ? to
        : { ...(value as object), [name]: changed((value as Record<string, unknown>)[name], rest, to) };
    fc.assert(
      fc.property(fc.constantFrom(...leaves), fc.jsonValue(), (path, value) => {
        const text = JSON.stringify(changed(valid, path, value));
        const record = readRecord(engine, text, noBook);
        if (typeof record === 'object') expect(new Date(record.at).getUTCFullYear()).toBeLessThan(3_000);
      }),
      { numRuns: 1_000 },
    );
  });
});
