import {
  type AsnType,
  BitString,
  Boolean as BooleanBlock,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  Set as SetBlock,
  Utf8String,
} from 'asn1js';

// DER (X.690) of the ASN.1 types that a certificate requires.

const encoded = (block: AsnType): Buffer => Buffer.from(block.toBER());
const blocks = (parts: readonly Buffer[]): AsnType[] => parts.map(decoded);
const contextSpecific = (tagNumber: number) => ({ tagClass: 3, tagNumber });

export const sequence = (...parts: readonly Buffer[]) => encoded(new Sequence({ value: blocks(parts) }));
export const set = (...parts: readonly Buffer[]) => encoded(new SetBlock({ value: blocks(parts) }));
/** `[tag] EXPLICIT` */
export const explicit = (tag: number, part: Buffer) =>
  encoded(new Constructed({ idBlock: contextSpecific(tag), value: blocks([part]) }));
/** `[tag] IMPLICIT` of a type that has no parts */
export const implicit = (tag: number, content: Buffer) =>
  encoded(new Primitive({ idBlock: contextSpecific(tag), valueHex: content }));
/** @param bytes of a positive number, big-endian */
export const integer = (bytes: Buffer) => encoded(Integer.fromBigInt(`0x${bytes.toString('hex')}`));
export const nullValue = () => encoded(new Null());
export const boolean = (value: boolean) => encoded(new BooleanBlock({ value }));
export const octetString = (content: Buffer) => encoded(new OctetString({ valueHex: content }));
export const bitString = (content: Buffer) => encoded(new BitString({ valueHex: content }));
export const utf8String = (value: string) => encoded(new Utf8String({ value }));
export const objectIdentifier = (value: string) => encoded(new ObjectIdentifier({ value }));
/** GeneralizedTime, to the second, in UTC. */
export const time = (date: Date) =>
  encoded(new GeneralizedTime({ valueDate: new Date(Math.floor(date.getTime() / 1000) * 1000) }));

function decoded(part: Buffer): AsnType {
  const { offset, result } = fromBER(part);
  if (offset !== part.length) throw new Error(`not one DER value: ${part.toString('hex')}`);
  return result;
}
