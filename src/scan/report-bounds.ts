/** Places of one check that a scan reports. */
export const placesPerCheck = 500;

/** Places of all checks together that a scan reports: what the service does with them must not keep it from its requests. */
export const placesPerScan = 2_500;

/** Bytes that they may have as JSON. */
export const placesBytes = 1024 * 1024;

/** Places of all checks together of which a scan says that it looked at them. */
export const lookedPerScan = 5_000;

/** Bytes that they may have as JSON. */
export const lookedBytes = 512 * 1024;

/** Pages or databases of which a scan says that it covers them. */
export const coversPerSubject = 16;

/** Characters of a locator. */
export const locatorLength = 2_048;

/** Characters of a sentence about what was observed, or about why it was not assessed. */
export const sentenceLength = 500;
