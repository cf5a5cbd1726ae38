/**
 * The support view that these pages were opened in, as their address names it (`?support=`). It stays for as long as the
 * tab shows them: another view, or the end of one, is another load of the page. Undefined for everybody else.
 */
export const SUPPORT_VIEW: string | undefined = new URLSearchParams(location.search).get('support') ?? undefined;

/** What says with a request that it is made in a support view: the service takes reads alone then. */
export const supportHeaders: Readonly<Record<string, string>> =
  SUPPORT_VIEW === undefined ? {} : { 'X-Support-View': SUPPORT_VIEW };
