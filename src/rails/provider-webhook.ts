/** A webhook of a provider as it arrived, whichever role of the account it is about. */
export interface ProviderWebhookRequest {
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  /** The bytes that were signed; never a body that was parsed and written again. */
  rawBody: Buffer;
}

/**
 * Opens a webhook once for all roles of its account, each of which reads it: a signature is a sum over all of its bytes.
 * @param open checks the signature. What it throws is found out anew by whoever asks next.
 */
export function openedOnce<Opened extends object>(
  open: (secret: string, request: ProviderWebhookRequest) => Opened,
): (secret: string, request: ProviderWebhookRequest) => Opened {
  const known = new WeakMap<ProviderWebhookRequest, { secret: string; opened: Opened }>();
  return (secret, request) => {
    const before = known.get(request);
    if (before?.secret === secret) return before.opened;
    const opened = open(secret, request);
    known.set(request, { secret, opened });
    return opened;
  };
}
