import { ConnectionFailed } from '../connection/connection-failed.ts';

/** A value of RESP2: https://redis.io/docs/latest/develop/reference/protocol-spec/ */
export type Reply = string | number | null | RefusedCommand | readonly Reply[];

/** A command that the server refused. The text comes from the server. */
export class RefusedCommand {
  /** The first word: `NOPERM`, `ERR`. */
  readonly code: string;
  readonly text: string;
  constructor(text: string) {
    this.code = /^[A-Z]{1,24}/.exec(text)?.[0] ?? '';
    this.text = text;
  }
}

/** Bytes of a line: a status, an error, a number or a length. The error of protected mode has more than a thousand. */
const maxLine = 4_096;
/** Bytes of one text. INFO has a few thousand, a user with many rules some more. */
const maxText = 1024 * 1024;
const maxDepth = 6;
/** Values of one exchange, lists included. */
const maxValues = 100_000;
const lineEnd = Buffer.from('\r\n');

interface OpenList {
  readonly items: Reply[];
  readonly length: number;
}

/**
 * Reads the replies to commands that were sent together, from bytes that arrive in pieces. Each byte is read once.
 * Everything that a server announces is limited before memory is reserved for it.
 */
export class Replies {
  readonly #top: OpenList;
  readonly #open: OpenList[];
  #at = 0;
  /** Where the search for the end of a line continues. */
  #scanned = 0;
  #textEnd: number | undefined;
  #values = 0;

  constructor(count: number) {
    this.#top = { items: [], length: count };
    this.#open = [this.#top];
  }

  /**
   * @param received all bytes since the commands were sent
   * @returns undefined while replies are missing
   * @throws ConnectionFailed for anything that a server would not send
   */
  read(received: Buffer): readonly Reply[] | undefined {
    while (this.#open.length > 0) {
      if (!this.#next(received)) return undefined;
      while (this.#open.length > 0 && this.#isComplete()) this.#open.pop();
    }
    if (received.length > this.#at) throw invalid();
    return this.#top.items;
  }

  #isComplete(): boolean {
    const { items, length } = this.#open.at(-1)!;
    return items.length === length;
  }

  /** Reads one line or text. @returns false while bytes are missing */
  #next(received: Buffer): boolean {
    if (this.#textEnd !== undefined) return this.#readText(received, this.#textEnd);
    const end = received.indexOf(lineEnd, Math.max(this.#scanned, this.#at));
    const length = (end === -1 ? received.length : end) - this.#at;
    if (length > maxLine) throw invalid();
    if (end === -1) {
      this.#scanned = received.length - 1;
      return false;
    }
    const line = received.toString('utf8', this.#at, end);
    this.#at = end + lineEnd.length;
    this.#readLine(line[0] ?? '', line.slice(1));
    return true;
  }

  #readLine(kind: string, rest: string): void {
    if (kind === '+') this.#add(rest.toWellFormed());
    else if (kind === '-') this.#add(new RefusedCommand(rest.toWellFormed()));
    else this.#readNumber(kind, rest);
  }

  #readNumber(kind: string, digits: string): void {
    if (!/^-?\d{1,18}$/.test(digits)) throw invalid();
    const number = Number(digits);
    if (kind === ':') this.#add(number);
    else if (number === -1 && (kind === '$' || kind === '*')) this.#add(null);
    else if (kind === '$' && number >= 0 && number <= maxText) this.#textEnd = this.#at + number;
    else if (kind === '*' && number >= 0 && number <= maxValues) this.#openList(number);
    else throw invalid();
  }

  #openList(length: number): void {
    if (this.#open.length > maxDepth) throw invalid();
    const items: Reply[] = [];
    this.#add(items);
    this.#open.push({ items, length });
  }

  #readText(received: Buffer, end: number): boolean {
    if (received.length < end + lineEnd.length) return false;
    if (!received.subarray(end, end + lineEnd.length).equals(lineEnd)) throw invalid();
    this.#add(received.toString('utf8', this.#at, end).toWellFormed());
    this.#at = end + lineEnd.length;
    this.#textEnd = undefined;
    return true;
  }

  #add(value: Reply): void {
    this.#values += 1;
    if (this.#values > maxValues) throw invalid();
    this.#open.at(-1)!.items.push(value);
  }
}

const invalid = () => new ConnectionFailed('protocol_invalid');
