const PREFIX = 'MNL';
const BATCH_PREFIX = 'MNB';

/** The reference of a transaction that the merchant gave none: its id in another dress, so it needs no index. */
export function referenceOf(transactionId: string): string {
  return `${PREFIX}${transactionId.replaceAll('-', '')}`;
}

/** The reference of a bulk payout: its id in another dress. */
export function batchReferenceOf(batchId: string): string {
  return `${BATCH_PREFIX}${batchId.replaceAll('-', '')}`;
}

/** The transaction id inside one of our references, or undefined for a merchant's own. */
export function transactionIdOf(reference: string): string | undefined {
  return idInside(PREFIX, reference);
}

/** The batch id inside a batch reference, or undefined for anything else. */
export function batchIdOf(batchReference: string): string | undefined {
  return idInside(BATCH_PREFIX, batchReference);
}

function idInside(prefix: string, reference: string): string | undefined {
  const hex = reference.slice(prefix.length);
  if (!reference.startsWith(prefix) || !/^[0-9a-f]{32}$/.test(hex)) return undefined;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
