import { type Read, setStatement, statement } from '../../../platform/db/statement.ts';
import { COUNT_CHANGED, countedColumns, type ItemRow } from '../queries.ts';

/** Items that nobody has looked at yet, in the order in which they were given, after a position. */
export const listItemsToValidate = statement<Read<ItemRow>>(
  'list-batch-items-to-validate',
  `select * from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and validated_at is null and position > $4
    order by position limit $5`,
);

/** How far a pass has come. Only the worker that has the batch may say so, and only while the batch is being looked at. */
export const updateBatchLook = statement<{ id: string }>(
  'update-batch-look',
  `update batches set due_at = $5, looked_up_to = $6, silent_since = $7
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and status = 'VALIDATING'
    returning id`,
);

export type ItemVerdict = Pick<
  ItemRow,
  | 'merchant_id'
  | 'mode'
  | 'id'
  | 'batch_id'
  | 'position'
  | 'account_name'
  | 'bank_name'
  | 'match_score'
  | 'is_valid'
  | 'reason'
  | 'warnings'
  | 'directory_bank_code'
  | 'validated_at'
>;

/**
 * What the worker found out. An item that was corrected meanwhile has been looked at since, and keeps that. By id and by
 * position, so that each index leads to one row: a plan that was made while the table was small stays good.
 */
export const updateItemsValidated = setStatement<ItemVerdict>(
  'update-batch-items-validated',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    batch_id: 'uuid',
    position: 'integer',
    account_name: 'text',
    bank_name: 'text',
    match_score: 'integer',
    is_valid: 'boolean',
    reason: 'text',
    warnings: 'text',
    directory_bank_code: 'text',
    validated_at: 'timestamptz',
  },
  `with looked_at as (
     update batch_items i
        set account_name = rows.account_name, bank_name = rows.bank_name, match_score = rows.match_score,
            is_valid = rows.is_valid, reason = rows.reason, warnings = rows.warnings,
            directory_bank_code = rows.directory_bank_code, validated_at = rows.validated_at
       from :rows
      where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id
        and i.batch_id = rows.batch_id and i.position = rows.position and i.validated_at is null
     returning ${countedColumns('i')}
   ), changed as (
     select looked_at.*, 1 as n from looked_at
   )
   ${COUNT_CHANGED}`,
);
