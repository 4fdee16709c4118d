import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicUnicast } from './address.ts';
import { AllowlistError, createAllowlist } from './target-allowlist.ts';
import { createTargetGuard, TargetRefused } from './target-guard.ts';

const signal = new AbortController().signal;
const noDns = () => Promise.reject(new Error('unexpected DNS lookup'));
const guard = createTargetGuard({ allowlist: [], resolve: noDns });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'pinned',
    (error: TargetRefused) => error.errorCode,
  );
}

describe('spellings of addresses', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['2130706433', 'decimal'],
    ['0x7f000001', 'hexadecimal'],
    ['0x7f.0.0.1', 'hexadecimal part'],
    ['0177.0.0.1', 'octal'],
    ['017700000001', 'octal number'],
    ['127.1', 'short'],
    ['127.0.1', 'short'],
    ['127.0.0.1.', 'trailing dot'],
    ['１２７.0.0.1', 'full-width digits'],
    ['127。0。0。1', 'ideographic full stops'],
    ['%31%32%37.0.0.1', 'percent-encoded'],
    ['0', 'the unspecified address'],
    ['10.0.0.8', 'private'],
    ['172.16.3.4', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'link-local, cloud metadata'],
    ['168.63.129.16', 'cloud host agent'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['192.0.0.192', 'IETF assignments'],
    ['198.18.0.1', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::1', 'loopback'],
    ['[::1]', 'brackets'],
    ['0:0:0:0:0:0:0:1', 'written out'],
    ['::', 'unspecified'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['[::ffff:7f00:1]', 'IPv4-mapped, hexadecimal'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['64:ff9b::127.0.0.1', 'NAT64'],
    ['64:ff9b:1::7f00:1', 'NAT64, local'],
    ['2002:7f00:1::', '6to4'],
    ['2001::1', 'Teredo'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'zone id'],
    ['[fe80::1%25eth0]', 'zone id in a URL'],
    ['fc00::1', 'unique local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'documentation'],
    ['3fff::1', 'documentation'],
    ['100::1', 'discard'],
    ['4000::1', 'not assigned'],
  ])('refuses %s (%s)', async host => {
    expect(await codeOf(guard.pin(host, signal))).toBe('refused_private_address');
  });

  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['134744072', '8.8.8.8'],
    ['0x08.8.8.8', '8.8.8.8'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
    ['[2606:4700::1111]', '2606:4700::1111'],
    ['2606:4700:0:0::1111', '2606:4700::1111'],
  ])('pins %s as %s', async (host, address) => {
    const pinned = await guard.pin(host, signal);
    expect(pinned).toMatchObject({ isAddress: true, hostname: address, addresses: [{ address }] });
  });

  it.each([
    '',
    ' ',
    '256.1.1.1',
    '1.2.3.4.5',
    'foo.0x',
    'a b',
    'a..b',
    'user@host',
    'a/b',
    'a?b',
    'a#b',
    'a:80',
    '[::1',
    'x'.repeat(64),
    `${'a.'.repeat(150)}b`,
    'a\0b',
    '[v1.fe80::]',
    '<x>',
  ])('rejects %j as a host', async host => {
    expect(await codeOf(guard.pin(host, signal))).toBe('invalid_host');
  });

  it('refuses every address outside the public ranges, in any spelling', async () => {
    const writings = (value: number) => [
      String(value),
      `0x${value.toString(16)}`,
      `0${value.toString(8)}`,
      `::ffff:${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`,
      `[::ffff:${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}]`,
    ];
    const ipv4 = fc.oneof(
      fc.integer({ min: 0, max: 0xffffffff }),
      fc.integer({ min: 0x0a000000, max: 0x0affffff }),
      fc.integer({ min: 0x7f000000, max: 0x7fffffff }),
      fc.integer({ min: 0xa9fe0000, max: 0xa9feffff }),
    );
    await fc.assert(
      fc.asyncProperty(ipv4, async value => {
        const dotted = [24, 16, 8, 0].map(shift => (value >>> shift) & 255).join('.');
        const expected = isPublicUnicast(dotted) ? 'pinned' : 'refused_private_address';
        for (const writing of [dotted, ...writings(value >>> 0)]) {
          expect(await codeOf(guard.pin(writing, signal))).toBe(expected);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never throws anything but its own errors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async host => {
        expect(['dns_failed', 'invalid_host', 'refused_private_address', 'pinned']).toContain(
          await codeOf(guard.pin(host, signal)),
        );
      }),
    );
  });
});

describe('names', () => {
  const resolving = (answers: Record<string, readonly string[]>) =>
    createTargetGuard({
      allowlist: ['10.1.0.0/16'],
      resolve: name =>
        answers[name] ? Promise.resolve(answers[name]) : Promise.reject(new Error('ENOTFOUND')),
    });

  it('pins all addresses of a public name, IPv4 first', async () => {
    const pinned = await resolving({ 'example.com': ['2606:4700::1', '93.184.216.34'] }).pin(
      'Example.COM.',
      signal,
    );
    expect(pinned).toEqual({
      hostname: 'example.com',
      isAddress: false,
      addresses: [
        { address: '93.184.216.34', family: 4, isAllowlisted: false },
        { address: '2606:4700::1', family: 6, isAllowlisted: false },
      ],
    });
  });

  it('accepts private addresses of the target on its ports, and public ones on all', async () => {
    const guard = createTargetGuard({
      allowlist: ['10.1.0.0/16'],
      ownPlace: { addresses: ['10.1.0.1', '10.2.0.1', '93.184.216.34', '93.184.216.35'], ports: [8443] },
      ownAddresses: ['93.184.216.35'],
    });
    const portsOf = async (host: string) => (await guard.pin(host, signal)).addresses[0]!.ports;
    expect(await portsOf('10.1.0.1')).toBeUndefined();
    expect(await portsOf('10.2.0.1')).toEqual([8443]);
    expect(await portsOf('93.184.216.34')).toBeUndefined();
    expect(await portsOf('93.184.216.35')).toEqual([8443]);
    await expect(guard.pin('10.2.0.2', signal)).rejects.toBeInstanceOf(TargetRefused);
  });

  it.each([
    ['a private address', ['192.168.0.1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['a mapped loopback address', ['::ffff:127.0.0.1']],
    ['a link-local address with a zone', ['fe80::1%eth0']],
    ['many public addresses and a private one at the end', [...Array(30).fill('93.184.216.34'), '10.0.0.1']],
  ])('refuses a name with %s', async (_, addresses) => {
    expect(await codeOf(resolving({ 'a.example': addresses }).pin('a.example', signal))).toBe(
      'refused_private_address',
    );
  });

  it('refuses the addresses of this machine, public ones too, unless they are allowed', async () => {
    const ownAddresses = ['8.8.8.8', '2600:1F00:0:0::1'];
    const resolve = async () => ['1.1.1.1', '2600:1f00::1'];
    const careful = createTargetGuard({ allowlist: [], resolve, ownAddresses });
    for (const host of ['8.8.8.8', '134744072', '[2600:1f00::1]', 'dashboard.example']) {
      expect(await codeOf(careful.pin(host, signal)), host).toBe('refused_private_address');
    }
    expect(await codeOf(careful.pin('8.8.4.4', signal))).toBe('pinned');
    const allowing = createTargetGuard({ allowlist: ownAddresses, resolve, ownAddresses });
    expect(await codeOf(allowing.pin('dashboard.example', signal))).toBe('pinned');
  });

  it('accepts addresses and names in the allowlist', async () => {
    const allowed = resolving({ 'intranet.example': ['10.1.2.3'] });
    expect(await codeOf(allowed.pin('10.1.2.3', signal))).toBe('pinned');
    expect(await codeOf(allowed.pin('intranet.example', signal))).toBe('pinned');
    expect(await codeOf(allowed.pin('10.2.0.1', signal))).toBe('refused_private_address');
  });

  it('reports names without a usable address', async () => {
    const dns = resolving({ 'empty.example': [], 'odd.example': ['not-an-address'] });
    for (const name of ['unknown.example', 'empty.example', 'odd.example']) {
      expect(await codeOf(dns.pin(name, signal))).toBe('dns_failed');
    }
  });

  it('stops waiting for the resolver when the caller aborts', async () => {
    const controller = new AbortController();
    const never = createTargetGuard({ allowlist: [], resolve: () => new Promise(() => {}) });
    const pinning = never.pin('slow.example', controller.signal);
    controller.abort(new Error('enough'));
    await expect(pinning).rejects.toThrow('enough');
  });
});

describe('allowlist', () => {
  it.each([
    '10.0.0.0/33',
    '10.0.0.5/8',
    '10/8',
    '0x0a.0.0.0/8',
    'fe80::1%eth0',
    'example.com',
    '10.0.0.0/8/8',
    '::ffff:10.0.0.1',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'fd00::1/8',
  ])('rejects %s', entry => {
    expect(() => createAllowlist(['127.0.0.1', entry])).toThrow(AllowlistError);
    expect(() => createAllowlist([entry])).toThrow(`"${entry}"`);
  });

  it('accepts CIDRs and single addresses, and skips empty entries', () => {
    const isAllowed = createAllowlist(['10.0.0.0/8', ' fd00::/8 ', '', '192.0.2.7', '::1']);
    expect(['10.255.0.1', 'fd12::1', '192.0.2.7', '::1'].every(isAllowed)).toBe(true);
    expect(['11.0.0.1', 'fe80::1', '192.0.2.8', '::2', '127.0.0.1'].some(isAllowed)).toBe(false);
  });
});
