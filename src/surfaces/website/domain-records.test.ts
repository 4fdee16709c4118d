import { afterEach, describe, expect, it } from 'vitest';
import { type NameAnswer, startNameServer } from '../../../test/support/name-server.ts';
import { askNameServer } from '../connection/dns-exchange.ts';
import { lookUpDomain } from './domain-records.ts';

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

async function answering(answers: Readonly<Record<string, NameAnswer>>) {
  const server = await startNameServer(answers);
  servers.push(server);
  return server;
}

const site = (hostname: string, is_address = false) => ({
  hostname,
  is_address,
  path: '/',
  https_port: 443,
  http_port: 80,
});
const txt = (name: string, ...parts: string[]) => ({ name, type: 'TXT' as const, data: parts });
const soa = (name: string) => ({ name, type: 'SOA' as const });
const ds = (name: string) => ({ name, type: 'DS' as const });
const yes = <T>(value: T) => ({ assessed: true, value });

it('queries the registrable domain, and joins the parts of a record', async () => {
  const server = await answering({
    'clinic.co.uk TXT': {
      records: [
        txt('clinic.co.uk', 'v=spf1 include:_spf.', 'mail.example -all'),
        txt('clinic.co.uk', 'google-site-verification=abc'),
        txt('clinic.co.uk', 'v=spf10 is something else'),
      ],
    },
    '_dmarc.clinic.co.uk TXT': { records: [txt('_dmarc.clinic.co.uk', 'v=DMARC1; p=none')] },
    'clinic.co.uk MX': { records: [{ name: 'clinic.co.uk', type: 'MX', data: ['mx.clinic.co.uk'] }] },
    'clinic.co.uk DS': { records: [ds('clinic.co.uk')] },
  });
  expect(await lookUpDomain(site('www.portal.clinic.co.uk'), [server.address])).toEqual({
    domain: 'clinic.co.uk',
    spf: yes(['v=spf1 include:_spf.mail.example -all']),
    dmarc: yes(['v=DMARC1; p=none']),
    mail_exchangers: yes(['mx.clinic.co.uk']),
    signed: yes(true),
  });
});

it('distinguishes missing records from missing answers', async () => {
  const none = await answering({
    'clinic.com TXT': { records: [] },
    'clinic.com DS': { authorities: [soa('com')] },
  });
  expect(await lookUpDomain(site('clinic.com'), [none.address])).toEqual({
    domain: 'clinic.com',
    spf: yes([]),
    dmarc: yes([]),
    mail_exchangers: yes([]),
    signed: yes(false),
  });
  const broken = { code: 'servfail' } as const;
  const failing = await answering({
    'clinic.com TXT': broken,
    '_dmarc.clinic.com TXT': broken,
    'clinic.com MX': broken,
    'clinic.com DS': broken,
  });
  expect(await lookUpDomain(site('clinic.com'), [failing.address])).toMatchObject({
    spf: { assessed: false },
    dmarc: { assessed: false },
    mail_exchangers: { assessed: false },
    signed: { assessed: false },
  });
});

it.each([
  ['an address', site('192.0.2.7', true)],
  ['a local name', site('localhost')],
  ['a name of a private network', site('portal.clinic.internal')],
  ['a name below a hosting provider’s', site('clinic.github.io')],
])('queries nothing about %s', async (_, target) => {
  const server = await answering({});
  expect(await lookUpDomain(target, [server.address])).toBe(null);
  expect(server.asked).toEqual([]);
});

describe('signature', () => {
  const signed = async (answer: NameAnswer) => {
    const server = await answering({ 'clinic.com DS': answer });
    const records = await lookUpDomain(site('clinic.com'), [server.address]);
    return { signed: records?.signed, asked: server.asked.filter(question => question.includes(' DS ')) };
  };

  it('is queried again over TCP if the answer is truncated', async () => {
    const found = await signed({ truncated: true, records: [ds('clinic.com')] });
    expect(found).toEqual({ signed: yes(true), asked: ['clinic.com DS udp', 'clinic.com DS tcp'] });
  });

  it.each<[string, NameAnswer]>([
    ['the "no" came from the domain itself', { authorities: [soa('clinic.com')] }],
    ['the "no" came without a SOA', {}],
    ['the domain does not exist', { code: 'nxdomain', authorities: [soa('com')] }],
    ['the answer is about another name', { records: [ds('com')] }],
    ['the answer is truncated', { raw: query => answerTo(query, 1, Buffer.from([0xc0])) }],
    ['a name contains a loop', { raw: query => answerTo(query, 1, Buffer.from([0xc0, 28, 0, 43])) }],
  ])('is not assessed if %s', async (_, answer) => {
    expect((await signed(answer)).signed).toMatchObject({ assessed: false });
  });

  it('is queried at the second server if the first fails', async () => {
    const first = await answering({ 'clinic.com DS': { code: 'servfail' } });
    const second = await answering({ 'clinic.com DS': { records: [ds('clinic.com')] } });
    const records = await lookUpDomain(site('clinic.com'), [first.address, second.address]);
    expect(records?.signed).toEqual(yes(true));
  });
});

it('ignores answers to other queries, and times out on silence', async () => {
  const server = await answering({
    'clinic.com DS': {
      raw: query => {
        const other = answerTo(query, 0, Buffer.alloc(0));
        other.writeUInt16BE(query.readUInt16BE(0) ^ 1, 0);
        return other;
      },
    },
  });
  await expect(askNameServer(server.address, 'clinic.com', 43)).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

/** An answer with these bytes as its records. */
function answerTo(query: Buffer, count: number, records: Buffer): Buffer {
  const answer = Buffer.concat([query, records]);
  answer.writeUInt16BE(0x8180, 2);
  answer.writeUInt16BE(count, 6);
  return answer;
}
