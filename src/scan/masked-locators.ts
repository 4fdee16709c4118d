import { isMasked } from '../captures/places.ts';
import { withoutTokens } from '../detectors/mask-secrets.ts';
import type { StoredFinding } from '../domain/finding-changes.ts';

/** Finds findings whose locator was stored with a token, before tokens in locators were masked. */
export class UnmaskedFindings {
  readonly #stored: readonly StoredFinding[];
  /** By check and masked locator. Read once it is needed, since it takes a second for the most findings. */
  #byLocator: ReadonlyMap<string, StoredFinding> | null = null;

  constructor(stored: readonly StoredFinding[]) {
    this.#stored = stored;
  }

  /** The stored finding of a masked locator. */
  at(category: string, locator: string): StoredFinding | undefined {
    if (!isMasked(locator)) return undefined;
    this.#byLocator ??= new Map(
      this.#stored.flatMap(finding => {
        const masked = withoutTokens(finding.locator);
        return masked === finding.locator ? [] : [[keyOf(finding.category, masked), finding]];
      }),
    );
    return this.#byLocator.get(keyOf(category, locator));
  }

  /** Whether one of the assessed places is that of the finding. */
  isAmong({ locator }: StoredFinding, places: ReadonlySet<string>): boolean {
    return places.has(locator) || (this.#someMasked(places) && places.has(withoutTokens(locator)));
  }

  readonly #withMasks = new WeakMap<ReadonlySet<string>, boolean>();

  #someMasked(places: ReadonlySet<string>): boolean {
    const known = this.#withMasks.get(places) ?? [...places].some(isMasked);
    this.#withMasks.set(places, known);
    return known;
  }
}

const keyOf = (category: string, locator: string) => `${category}\n${locator}`;
