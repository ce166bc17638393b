/**
 * Headers that HTTP itself, what connects, or a gateway sets: of the connection, of the body's length and coding, what routes a request, and
 * for whom it is made.
 */
const reserved =
  /^(host|connection|keep-alive|te|trailer|upgrade|expect|via|cookie2?|content-(length|encoding|transfer-encoding)|transfer-.*|proxy-.*|portal-catalog-session)$/i;

/** Tells whether nobody who makes a call may set a header: a program that let them would send another request than it says. */
export const isReservedHeader = (name: string): boolean => reserved.test(name.trim());

/** Tells whether a name can be that of a header at all (RFC 9110, section 5.6.2). */
export const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);
