import { createHash, randomBytes } from 'node:crypto';
import { type Clock, DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requireTransaction, transactionNotFound } from '../transactions/index.ts';
import { receiptLinkNotFound, receiptLinksTooMany } from './errors.ts';
import {
  countReceiptLinks,
  deleteReceiptLinkToken,
  findGoodReceiptLink,
  findReceiptLinkToken,
  insertReceiptLink,
  insertReceiptLinkToken,
  listReceiptLinks,
  lockSharedTransaction,
  type ReceiptLinkRow,
  updateReceiptLinkRevoked,
} from './queries.ts';
import { readReceipt } from './receipt.ts';

/** 256 bits: nobody finds one by trying, so its plain hash is all that has to be kept. */
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
/** A payee has one, an accountant another: who makes more has forgotten the others. */
const MOST_GOOD_LINKS = 20;
/** What the page of a payout lists, those that expired and were revoked among them. */
const MOST_LISTED = 50;

interface LinkDeps {
  database: Database;
  clock: Clock;
}

interface Sharing {
  tenant: Tenant;
  transactionId: string;
  expiresInDays: number;
  by: { personId: string; name: string };
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/**
 * Makes a link that shows the receipt of a payout that was paid to anybody who has it.
 * @returns the token of its address, this once: only its hash is kept
 * @throws AppError 404 `TRANSACTION_NOT_FOUND`; 409 `RECEIPT_NOT_PAID`, `RECEIPT_RETURNED`; 422 `RECEIPT_LINKS_TOO_MANY`
 */
export async function shareReceipt(
  { database, clock }: LinkDeps,
  { tenant, transactionId, expiresInDays, by }: Sharing,
): Promise<{ token: string; row: ReceiptLinkRow }> {
  const { merchantId, mode } = tenant;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return database.transaction(async (tx) => {
    const [locked] = await tx.query(lockSharedTransaction, [merchantId, mode, transactionId]);
    if (locked === undefined) throw transactionNotFound();
    await readReceipt(tx, tenant, transactionId);
    const now = clock.now();
    const [good] = await tx.query(countReceiptLinks, [merchantId, mode, transactionId, now]);
    if ((good?.links ?? 0) >= MOST_GOOD_LINKS) throw receiptLinksTooMany(MOST_GOOD_LINKS);
    const row: ReceiptLinkRow = {
      merchant_id: merchantId,
      mode,
      id: newId(),
      transaction_id: transactionId,
      token_hash: hashOf(token),
      created_by: by.personId,
      created_by_name: by.name,
      created_at: now,
      expires_at: new Date(now.getTime() + expiresInDays * DAY_MS),
      revoked_at: null,
      revoked_by_name: null,
    };
    const { revoked_at: _, revoked_by_name: __, ...made } = row;
    await tx.query(insertReceiptLink, Object.values(made));
    await tx.query(insertReceiptLinkToken, [row.token_hash, merchantId, mode, row.id]);
    return { token, row };
  });
}

/** The links of a receipt, newest first. @throws AppError 404 `TRANSACTION_NOT_FOUND` */
export async function readReceiptLinks(
  { database }: Pick<LinkDeps, 'database'>,
  tenant: Tenant,
  transactionId: string,
): Promise<ReceiptLinkRow[]> {
  const { merchant_id: merchantId, mode } = await requireTransaction(database, tenant, transactionId);
  return database.query(listReceiptLinks, [merchantId, mode, transactionId, MOST_LISTED]);
}

/** The link opens nothing from here on. Again changes nothing. @throws AppError 404 `RECEIPT_LINK_NOT_FOUND` */
export async function revokeReceiptLink(
  { database, clock }: LinkDeps,
  {
    tenant,
    transactionId,
    linkId,
    by,
  }: { tenant: Tenant; transactionId: string; linkId: string; by: { name: string } },
): Promise<ReceiptLinkRow> {
  const { merchantId, mode } = tenant;
  return database.transaction(async (tx) => {
    const values = [merchantId, mode, transactionId, linkId, clock.now(), by.name];
    const [row] = await tx.query(updateReceiptLinkRevoked, values);
    if (row === undefined) throw receiptLinkNotFound();
    await tx.query(deleteReceiptLinkToken, [row.token_hash]);
    return row;
  });
}

/** A good link, by the token of its address. */
export interface OpenedLink {
  tenant: Tenant;
  transactionId: string;
  expiresAt: Date;
}

/** @throws AppError 404 `RECEIPT_LINK_NOT_FOUND`: never made, expired or revoked, and nobody learns which. */
export async function openReceiptLink({ database, clock }: LinkDeps, token: string): Promise<OpenedLink> {
  if (!TOKEN.test(token)) throw receiptLinkNotFound();
  const [entry] = await database.query(findReceiptLinkToken, [hashOf(token)]);
  if (entry === undefined) throw receiptLinkNotFound();
  const { merchant_id: merchantId, mode, link_id } = entry;
  const [link] = await database.query(findGoodReceiptLink, [merchantId, mode, link_id, clock.now()]);
  if (link === undefined) throw receiptLinkNotFound();
  return { tenant: { merchantId, mode }, transactionId: link.transaction_id, expiresAt: link.expires_at };
}

/** A link as the merchant sees it. Its address was shown once and is kept nowhere. */
export function receiptLinkView(row: ReceiptLinkRow, now: Date) {
  return {
    linkId: row.id,
    status: row.revoked_at !== null ? 'REVOKED' : row.expires_at <= now ? 'EXPIRED' : 'ACTIVE',
    createdBy: row.created_by_name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revokedBy: row.revoked_by_name,
  };
}
