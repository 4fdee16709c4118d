import type { SecretRule } from './rule.ts';

/** Rules read this far around a match. */
const nearby = 320;

/**
 * Values that are named as secrets. Those around a known kind of secret are a part of it, such as the secret that belongs to the ID of
 * a key.
 */
export class LikelySecrets {
  readonly #kept = new Set<SecretRule>();
  #waiting: { readonly rule: SecretRule; readonly end: number }[] = [];
  #knownUntil = Number.NEGATIVE_INFINITY;

  add(rule: SecretRule, at: number, end: number): void {
    if (at - this.#knownUntil < nearby) return;
    this.#settle(at);
    // Several rules may name the same value: the first is the most exact.
    if (!this.#waiting.some(one => one.end === end)) this.#waiting.push({ rule, end });
  }

  /** @param hasPartner another value around it belongs to it */
  knownAt(at: number, end: number, hasPartner: boolean): void {
    this.#settle(at);
    this.#waiting = hasPartner ? [] : this.#waiting.filter(one => one.end <= at);
    this.#knownUntil = hasPartner ? end : this.#knownUntil;
  }

  rules(): Iterable<SecretRule> {
    this.#settle(Number.POSITIVE_INFINITY);
    return this.#kept;
  }

  /** What a position is far from can no longer be a part of a secret there. */
  #settle(at: number): void {
    const isFar = ({ end }: { readonly end: number }) => at - end >= nearby;
    for (const { rule } of this.#waiting.filter(isFar)) this.#kept.add(rule);
    this.#waiting = this.#waiting.filter(one => !isFar(one));
  }
}
