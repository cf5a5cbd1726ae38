import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';

/** What sealed bytes are bound to: copied to another row they do not open. */
export function documentContext({ merchantId, mode }: Tenant, id: string): string {
  return `manual_credits/${merchantId}/${mode}/${id}/document_sealed`;
}

/** Keyed hashes of a document's content, by its SHA-256 in hex; that under the newest pepper first. */
export function hashesOfDocument(secrets: Pick<Secrets, 'hmacs'>, sha256: string): string[] {
  return secrets.hmacs('manual-credit-document', sha256);
}
