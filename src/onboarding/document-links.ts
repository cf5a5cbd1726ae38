import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets.ts';
import { documentLinkExpired, documentLinkInvalid } from './errors.ts';
import { documentIdOf } from './review-state.ts';

/** From when the Merchant object is read. Long enough for a program that fetches what it just read. */
const LINK_LIFETIME_MS = 10 * 60_000;
const PURPOSE = 'document-link';

export interface LinkDeps {
  secrets: Secrets;
  clock: Clock;
}

interface Link {
  merchantId: string;
  documentId: string;
  /** Unix time in seconds. */
  expires: number;
}

/**
 * Where a program finds the documents of the Merchant object: our own under a signed link that expires, others as they are.
 * The signature opens nothing by itself: who follows the link needs the scope `merchant:read` as well.
 *
 * @param baseUrl of this service, without a slash at its end
 */
export function documentLinks(
  { secrets, clock }: LinkDeps,
  { merchantId, baseUrl }: { merchantId: string; baseUrl: string },
): (address: string) => string {
  const expires = Math.floor((clock.now().getTime() + LINK_LIFETIME_MS) / 1_000);
  return (address) => {
    const documentId = documentIdOf(address);
    if (documentId === undefined) return address;
    const signature = secrets.hmac(PURPOSE, textOf({ merchantId, documentId, expires }));
    return `${baseUrl}/merchant/document/${documentId}?expires=${expires}&signature=${signature}`;
  };
}

/** @throws AppError 403 `DOCUMENT_LINK_INVALID`, `DOCUMENT_LINK_EXPIRED` */
export function requireLink({ secrets, clock }: LinkDeps, link: Link & { signature: string }): void {
  const given = Buffer.from(link.signature);
  const made = secrets.hmacs(PURPOSE, textOf(link)).map((one) => Buffer.from(one));
  if (!made.some((one) => one.length === given.length && timingSafeEqual(one, given))) throw documentLinkInvalid();
  if (link.expires * 1_000 <= clock.now().getTime()) throw documentLinkExpired();
}

const textOf = ({ merchantId, documentId, expires }: Link) => `${merchantId} ${documentId} ${expires}`;
