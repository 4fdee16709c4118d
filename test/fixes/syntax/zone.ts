/** A zone with only the required records. */
export const zoneWith = (records: string) => `$ORIGIN example.com.
$TTL 3600
@ SOA ns hostmaster 1 7200 3600 1209600 3600
@ NS ns
ns A 192.0.2.1
mx A 192.0.2.2
${records}
`;
