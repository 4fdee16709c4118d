import { describe, expect, it } from 'vitest';
import { hasFewEntries, isOrdinary } from './authenticator-data.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const many = (entry: string, times = 65) => hex(entry.repeat(times));

describe('entries of CBOR', () => {
  it('are counted, however they are nested', () => {
    expect(hasFewEntries(many('60', 64))).toBe(true);
    for (const entry of ['00', '20', '40', '60', '80', 'a0', 'c0', 'f6', 'ff', '1b0000000000000000']) {
      expect(hasFewEntries(many(entry)), entry).toBe(false);
    }
    expect(hasFewEntries(Buffer.concat([hex('9a00000041'), many('60')]))).toBe(false);
    expect(hasFewEntries(Buffer.concat([hex('9f'), many('60'), hex('ff')]))).toBe(false);
    expect(hasFewEntries(Buffer.concat([hex('7f'), many('6161'), hex('ff')]))).toBe(false);
  });

  it('are not what is within strings', () => {
    expect(hasFewEntries(Buffer.concat([hex('590100'), Buffer.alloc(256)]))).toBe(true);
    expect(hasFewEntries(Buffer.concat([hex('7841'), many('61')]))).toBe(true);
    expect(hasFewEntries(Buffer.concat([hex('4100'), many('60')]))).toBe(false);
  });

  it('may be cut off anywhere', () => {
    for (const cut of ['', '9a00', '5bffffffffffffffff', '78']) expect(hasFewEntries(hex(cut))).toBe(true);
  });
});

it('counts what comes after the id of a credential', () => {
  const before = (flags: number) => Buffer.concat([Buffer.alloc(32), Buffer.from([flags]), Buffer.alloc(4)]);
  const id = Buffer.alloc(1_000);
  const credential = (key: Buffer) => Buffer.concat([before(0x41), Buffer.alloc(16), hex('03e8'), id, key]);
  expect(isOrdinary(before(0x01))).toBe(true);
  expect(isOrdinary(credential(hex('a10102')))).toBe(true);
  expect(isOrdinary(credential(many('60')))).toBe(false);
  expect(isOrdinary(Buffer.concat([before(0x81), hex('a16c686d61632d736563726574f5')]))).toBe(true);
  expect(isOrdinary(Buffer.concat([before(0x81), many('60')]))).toBe(false);
});
