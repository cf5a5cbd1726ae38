import { type Check, CLOCKS, check, sameTenant } from './queries.ts';

/** By the number at the provider a dispute is found again: what leads to the wrong one opens a second, or none. */
const wrongNotes = check(
  'disputes-are-noted-as-they-are',
  'Whatever a provider reported of a dispute is noted as it was reported, leads to the dispute that came of it, and is asked about again until it leads to one or a person of the operator looked into it.',
  `select n.merchant_id, n.mode,
          format('dispute %s at %s (%s%s), first seen at %s: %s, due at %s', n.provider_dispute_id, n.rail, n.status,
                 coalesce(', ' || n.reason, ''), n.first_seen_at, coalesce(x."providerTransactionId", 'of no payment'), n.due_at) as detail
     from dispute_directory n
     left join disputes d on ${sameTenant('d', 'n')} and d.id = n.dispute_id
     left join inbound_payments p on ${sameTenant('p', 'n')} and p.id = n.payment_id
     left join people b on b.id = n.decided_by and b.kind = 'OPERATOR'
     left join lateral json_to_record(n.reported::json)
            as x ("providerDisputeId" text, "providerTransactionId" text, currency text, mode text) on true
    where (n.attempts >= 0 and n.first_seen_at <= n.updated_at + ${CLOCKS}
           and (n.reported is null or x."providerDisputeId" = n.provider_dispute_id or n.reason = 'OTHER_DISPUTE')
           and case n.status
                 when 'NOTED' then num_nonnulls(n.reason, n.decided_by, n.note) = 0 and n.rail = p.rail
                                   and x."providerTransactionId" = p.provider_transaction_id
                                   and coalesce(x.mode, n.mode) = n.mode
                                   and (d.id is null or x.currency = d.currency and n.first_seen_at <= d.opened_at + ${CLOCKS}
                                                        and (n.source = 'OPERATOR') = (d.source = 'OPERATOR'))
                 when 'WAITING' then n.due_at is not null and n.reason is not null
                 when 'NO_PAYMENT' then n.due_at is not null and n.reported is not null
                 when 'CONTRADICTED' then n.due_at is null and n.reason is not null
                 when 'DISMISSED' then n.due_at is null and b.id is not null
               end) is not true`,
);

/** What a sealed file has before its bytes: nonce and tag. */
const SEAL_BYTES = 28;

const wrongFiles = check(
  'files-of-evidence-are-whole',
  'Every file of the evidence of a dispute has its bytes, one place in its answer, and was there before that was made.',
  `select f.merchant_id, f.mode,
          format('file %s of answer %s: %s bytes, sealed %s, in place %s of %s, uploaded at %s', f.id, f.answer_id, f.size_bytes,
                 octet_length(f.content_sealed), f.place, a.files, f.uploaded_at) as detail
     from dispute_files f
     join dispute_answers a on ${sameTenant('a', 'f')} and a.id = f.answer_id
     join disputes d on ${sameTenant('d', 'a')} and d.id = a.dispute_id
    where (f.size_bytes > 0 and octet_length(f.content_sealed) = f.size_bytes + ${SEAL_BYTES}
           and f.place between 0 and a.files - 1
           and f.uploaded_at between d.opened_at - ${CLOCKS} and a.made_at + ${CLOCKS}) is not true`,
);

export const disputeRecordChecks: readonly Check[] = [wrongNotes, wrongFiles];
