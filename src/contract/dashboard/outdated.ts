/** Days after which the result of a check no longer counts for a control or a source: the rule requires periodic evaluation. */
export const outdatedAfterDays = 90;
