/** Whether a status means that there is no page at the URL (RFC 9110, 15.5.5 and 15.5.11). */
export const isGone = (status: number | undefined): boolean => status === 404 || status === 410;

/** Whether a redirect is permanent: browsers do not send the request again (RFC 9110, 15.4.2 and 15.4.9). */
export const isPermanent = (status: number): boolean => status === 301 || status === 308;

/** Whether a status refuses access to a page that may exist (RFC 9110, 15.5.2 and 15.5.4). */
export const isRefusal = (status: number): boolean => status === 401 || status === 403;
