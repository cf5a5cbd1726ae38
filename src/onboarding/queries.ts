import { EVERY_TENANT } from '../ledger/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { Changes, DocumentKind, ReviewDetails } from './steps.ts';

export interface OnboardingRow {
  details: Partial<ReviewDetails>;
  changes: Partial<Changes>;
}

export interface DocumentRow {
  id: string;
  kind: DocumentKind;
  file_name: string;
  content_type: string;
  byte_count: number;
  uploaded_at: Date;
}

export const findOnboarding = statement<OnboardingRow>(
  'find-onboarding',
  'select details, changes from merchant_onboarding where merchant_id = $1',
);

/** $1 merchant, $2 details, $3 changes, $4 now. Under the merchant's lock. */
export const upsertOnboarding = statement(
  'update-onboarding',
  `insert into merchant_onboarding (merchant_id, details, changes, updated_at) values ($1, $2, $3, $4)
   on conflict (merchant_id) do update set details = excluded.details, changes = excluded.changes,
     updated_at = excluded.updated_at`,
);

/** Without what is in them. */
export const listDocumentRows = statement<DocumentRow>(
  'list-merchant-documents',
  `select id, kind, file_name, content_type, byte_count, uploaded_at
   from merchant_documents where merchant_id = $1 order by id`,
);

/** No row comes back where the same file is there as the same kind already. */
export const insertDocument = statement<DocumentRow>(
  'insert-merchant-document',
  `insert into merchant_documents (merchant_id, id, kind, file_name, content_type, byte_count, content_hash,
     content_sealed, uploaded_by, uploaded_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (merchant_id, kind, content_hash) do nothing
   returning id, kind, file_name, content_type, byte_count, uploaded_at`,
);

export const findDocumentByHash = statement<DocumentRow>(
  'find-merchant-document-by-hash',
  `select id, kind, file_name, content_type, byte_count, uploaded_at
   from merchant_documents where merchant_id = $1 and kind = $2 and content_hash = any($3::text[])`,
);

export const findDocumentContent = statement<DocumentRow & { content_sealed: Buffer }>(
  'find-merchant-document-content',
  `select id, kind, file_name, content_type, byte_count, uploaded_at, content_sealed
   from merchant_documents where merchant_id = $1 and id = $2`,
);

export const deleteDocument = statement<{ id: string }>(
  'delete-merchant-document',
  'delete from merchant_documents where merchant_id = $1 and id = $2 returning id',
);

/**
 * Approved merchants that may lack something which only the operator can connect or switch on: a service, an account number
 * or a rail. The newest first; $1 how many at most.
 */
export const listMerchantsToConnect = statement<{ id: string; business_name: string }>(
  'list-merchants-to-connect',
  `select m.id, m.business_name
     from merchants m
     join ${EVERY_TENANT} b on b.merchant_id = m.id and b.mode = 'LIVE'
    where m.status = 'ACTIVE'
      and (not exists (select 1 from default_rails where mode = 'LIVE')
           or not exists (select 1 from merchant_services s where s.merchant_id = m.id and s.service_key = 'COLLECTION')
           or not exists (select 1 from merchant_services s where s.merchant_id = m.id and s.service_key = 'PAYOUT')
           or not exists (select 1 from virtual_account_numbers n
                           where n.merchant_id = b.merchant_id and n.mode = 'LIVE' and n.closed_at is null))
    order by m.id desc
    limit $1`,
);
