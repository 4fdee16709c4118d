/** Concurrent jobs of one queue in one process. */
export interface Places {
  /** For any organization: one with slow jobs may use all of them. */
  readonly shared: number | (() => number);
  /** Further places with a limit for each organization, so that slow jobs of one cannot use all of them. */
  readonly kept?: { readonly places: number; readonly perOrganization: number };
}
