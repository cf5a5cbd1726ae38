/** A webhook of a provider as it arrived, whichever role of the account it is about. */
export interface ProviderWebhookRequest {
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  /** The bytes that were signed; never a body that was parsed and written again. */
  rawBody: Buffer;
}
