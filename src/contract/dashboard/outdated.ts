/** Days for which a result of a check says something about a control, and about a source: "periodic" is to mean something. */
export const outdatedAfterDays = 90;
