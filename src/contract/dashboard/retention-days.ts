/** Days for which finished scans can be kept. */
export const scanRetentions = [30, 90, 180, 365, 730, 2190] as const;

/** Days after which a changed retention of scans applies, as `set_scan_retention` has them. */
export const scanRetentionDelay = 7;

/** Days for which events can be kept. */
export const eventRetentions = [7, 30, 90, 180, 365] as const;
