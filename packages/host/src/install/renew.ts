/** The one command that brings lines, client and database to this version. */
export const RENEW = 'belay install --renew'
