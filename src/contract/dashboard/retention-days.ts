/** Days for which finished scans can be kept. */
export const scanRetentions = [30, 90, 180, 365, 730, 2190] as const;

/** Days for which events can be kept. */
export const eventRetentions = [7, 30, 90, 180, 365] as const;
