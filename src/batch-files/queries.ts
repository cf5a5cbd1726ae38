import type { BatchRow, ItemRow } from '../batches/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { TransactionStatus } from '../transactions/index.ts';

/** Rows that are being uploaded, of a batch that does not exist yet. */
export type UploadRow = {
  merchant_id: string;
  mode: Mode;
  batch_id: string;
  started_at: Date;
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
export const listUploadsBefore = statement<UploadRow>(
  'list-batch-uploads-before',
  `select * from batch_uploads
    where mode = $1 and started_at < $2 and batch_id <> all ($3::uuid[])
    order by started_at limit $4`,
);

export interface RejectedRow extends ItemRow {
  given_amount: string | null;
}

const AS_GIVEN: ListOrder<RejectedRow> = {
  direction: 'asc',
  keys: [{ sql: 'i.position', type: 'integer', of: ({ position }) => position }],
};

const ofBatch = ({ merchant_id, mode, id }: BatchRow) => ({
  of: [merchant_id, mode, id],
  order: AS_GIVEN,
  where: ['i.merchant_id = $1', 'i.mode = $2', 'i.batch_id = $3'],
  values: [merchant_id, mode, id],
});

/** Items that cannot be paid, in the order in which they were given. */
export function rejectedItems(batch: BatchRow): List<RejectedRow> {
  const { where, ...items } = ofBatch(batch);
  const rejected = [...where, 'not i.is_valid', 'i.validated_at is not null'];
  return { ...items, name: 'rejected-batch-items', columns: 'i.*', from: 'batch_items i', where: rejected };
}

/** An item with its payout. Before it has one, those columns are null. */
export interface ResultRow extends RejectedRow {
  payout_status: TransactionStatus | null;
  payout_reason: string | null;
  paid_at: Date | null;
  fee_minor: bigint | null;
  vat_minor: bigint | null;
  stamp_duty_minor: bigint | null;
  session_id: string | null;
  rail_code: string | null;
}

/** All items of a batch with their outcomes, in the order in which they were given. */
export const resultItems = (batch: BatchRow): List<ResultRow> => ({
  ...ofBatch(batch),
  name: 'batch-item-results',
  columns: `i.*, t.status as payout_status, t.reason as payout_reason, t.paid_at, p.fee_minor, p.vat_minor,
          p.stamp_duty_minor, p.session_id, p.rail_code`,
  // Reads each payout by its key. With an ordinary join, a plan made for few rows would read all payouts of the
  // merchant for every item.
  from: `batch_items i
     left join lateral (
       select status, reason, paid_at from transactions
        where merchant_id = $1 and mode = $2 and id = i.id
       offset 0
     ) t on true
     left join lateral (
       select fee_minor, vat_minor, stamp_duty_minor, session_id, rail_code from payouts
        where merchant_id = $1 and mode = $2 and id = i.id
       offset 0
     ) p on true`,
});

/** The columns of a file as they were decided. */
export type FileMappingRow = {
  merchant_id: string;
  mode: Mode;
  shape: string;
  columns: string;
  used_at: Date;
};

/** So many headers of a merchant's files are remembered. */
const MAX_FILE_MAPPINGS = 50;

/** Of two files with the same header the later one counts. */
export const upsertFileMappings = setStatement<FileMappingRow>(
  'upsert-file-mappings',
  { merchant_id: 'uuid', mode: 'text', shape: 'text', columns: 'text', used_at: 'timestamptz' },
  `insert into file_mappings (merchant_id, mode, shape, columns, used_at)
   select distinct on (rows.merchant_id, rows.mode, rows.shape) rows.merchant_id, rows.mode, rows.shape, rows.columns, rows.used_at
     from :rows order by rows.merchant_id, rows.mode, rows.shape, rows.used_at desc
   on conflict (merchant_id, mode, shape) do update set columns = excluded.columns, used_at = excluded.used_at`,
);

/**
 * Runs after `upsertFileMappings`: beyond the most that are remembered, the headers that were used longest ago are
 * removed.
 */
export const deleteFormerMappings = setStatement<{ merchant_id: string; mode: Mode }>(
  'delete-former-file-mappings',
  { merchant_id: 'uuid', mode: 'text' },
  `delete from file_mappings m
    using (
      select distinct former.merchant_id, former.mode, former.shape
        from :rows
       cross join lateral (
         select f.merchant_id, f.mode, f.shape from file_mappings f
          where f.merchant_id = rows.merchant_id and f.mode = rows.mode
          order by f.used_at desc, f.shape offset ${MAX_FILE_MAPPINGS}
       ) former
    ) held
    where m.merchant_id = held.merchant_id and m.mode = held.mode and m.shape = held.shape`,
);

export const findFileMappings = statement<FileMappingRow>(
  'find-file-mappings',
  'select * from file_mappings where merchant_id = $1 and mode = $2 and shape = any ($3::text[])',
);

export const lastFileMapping = statement<FileMappingRow>(
  'find-last-file-mapping',
  'select * from file_mappings where merchant_id = $1 and mode = $2 order by used_at desc, shape limit 1',
);
