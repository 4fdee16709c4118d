import { targetLimits } from '../../captures/limits.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';

/** Validates one row of an answer, since a hostile server may answer with anything. */
export class Row {
  readonly #fields: Readonly<Record<string, unknown>>;

  /** @throws ConnectionFailed with `protocol_invalid` if the answer is not an object; so do all readers below */
  constructor(answer: unknown) {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw invalid();
    this.#fields = answer as Record<string, unknown>;
  }

  text(name: string): string {
    return textOf(this.#fields[name]);
  }

  textOrNull(name: string): string | null {
    return this.#fields[name] === null ? null : this.text(name);
  }

  flag(name: string): boolean {
    const value = this.#fields[name];
    if (typeof value !== 'boolean') throw invalid();
    return value;
  }

  flagOrNull(name: string): boolean | null {
    return this.#fields[name] === null ? null : this.flag(name);
  }

  number(name: string): number {
    const value = this.#fields[name];
    if (typeof value !== 'number') throw invalid();
    return value;
  }

  texts(name: string): readonly string[] {
    return this.#list(name).map(textOf);
  }

  rows(name: string): readonly Row[] {
    return this.#list(name).map(entry => new Row(entry));
  }

  row(name: string): Row {
    return new Row(this.#fields[name]);
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = values.find(known => known === this.#fields[name]);
    if (value === undefined) throw invalid();
    return value;
  }

  #list(name: string): readonly unknown[] {
    const value = this.#fields[name];
    if (!Array.isArray(value)) throw invalid();
    return value;
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > targetLimits.databaseText) throw invalid();
  return value.toWellFormed();
}

const invalid = () => new ConnectionFailed('protocol_invalid');
