/** Places of one check that a scan reports. */
export const placesPerCheck = 1_000;

/** Characters of a locator. */
export const locatorLength = 2_048;

/** Characters of a sentence about what was observed, or about why it was not assessed. */
export const sentenceLength = 500;
