/** Places of one check that a scan reports. */
export const placesPerCheck = 500;

/** Places of all checks together that a scan reports, so that processing them does not block the service. */
export const placesPerScan = 2_500;

/** Bytes that they may have as JSON. */
export const placesBytes = 1024 * 1024;

/** Assessed places of all checks together that a scan lists. */
export const assessedPlacesPerScan = 5_000;

/** Bytes that they may have as JSON. */
export const assessedPlacesBytes = 512 * 1024;

/** Pages or databases that a scan lists as covered. */
export const coversPerSubject = 16;

/** Characters of a locator. */
export const locatorLength = 2_048;

/** Characters of the sentence on what was observed, or on why a check was not assessed. */
export const sentenceLength = 500;
