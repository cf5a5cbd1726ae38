import { type Read, setInsert, setStatement, statement } from '../../../platform/db/statement.ts';
import type { Mode } from '../../../platform/tenant.ts';

/** Rows under way to a batch that does not exist yet. */
export type UploadRow = {
  merchant_id: string;
  mode: Mode;
  batch_id: string;
  started_at: string | Date;
};

export const insertUploads = setInsert<UploadRow>('batch_uploads', {
  merchant_id: 'uuid',
  mode: 'text',
  batch_id: 'uuid',
  started_at: 'timestamptz',
});

export type UploadKey = Pick<UploadRow, 'merchant_id' | 'mode' | 'batch_id'>;

export const deleteUploads = setStatement<UploadKey>(
  'delete-batch-uploads',
  { merchant_id: 'uuid', mode: 'text', batch_id: 'uuid' },
  `delete from batch_uploads u using :rows
    where u.merchant_id = rows.merchant_id and u.mode = rows.mode and u.batch_id = rows.batch_id`,
);

/** Uploads that began before a time. Looks across merchants: the table has a row only while an upload is under way. */
export const listUploadsBefore = statement<Read<UploadRow>>(
  'list-batch-uploads-before',
  `select * from batch_uploads
    where mode = $1 and started_at < $2 and batch_id <> all ($3::uuid[])
    order by started_at limit $4`,
);

/** A row as it was given: nobody has looked at it, and no bank was asked. */
export type GivenItemRow = {
  merchant_id: string;
  mode: Mode;
  id: string;
  batch_id: string;
  position: number;
  amount_minor: bigint;
  given_amount: string | null;
  bank_code: string;
  account_number: string;
  narration: string;
  phone_number: string | null;
  given_name: string | null;
  /** JSON array of sentences, as text; null for none. */
  warnings: string | null;
  created_at: string;
};

export const insertGivenItems = setStatement<GivenItemRow>(
  'insert-given-batch-items',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    batch_id: 'uuid',
    position: 'integer',
    amount_minor: 'bigint',
    given_amount: 'text',
    bank_code: 'text',
    account_number: 'text',
    narration: 'text',
    phone_number: 'text',
    given_name: 'text',
    warnings: 'json',
    created_at: 'timestamptz',
  },
  `insert into batch_items (
     merchant_id, mode, id, batch_id, position, amount_minor, given_amount, bank_code, account_number, narration,
     phone_number, given_name, warnings, created_at, is_valid
   )
   select rows.merchant_id, rows.mode, rows.id, rows.batch_id, rows.position, rows.amount_minor, rows.given_amount,
          rows.bank_code, rows.account_number, rows.narration, rows.phone_number, rows.given_name, rows.warnings,
          rows.created_at, false
     from :rows`,
);

/** By their places: looking for the first that are left would pass over all that were removed, again and again. */
export const deleteItemsBetween = statement(
  'delete-batch-items-between',
  `delete from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and position > $4 and position <= $5`,
);
