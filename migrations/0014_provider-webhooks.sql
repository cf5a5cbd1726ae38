-- What a provider sends is a provider webhook, in the evidence of a payout as everywhere else. The digest of a row covers
-- its kind and reason, so it is written again with them.

alter table payout_attempts drop constraint payout_attempts_kind;

update payout_attempts a
   set kind = n.kind,
       reason = n.reason,
       digest = encode(sha256(convert_to(json_build_array(
         a.merchant_id, a.mode, a.payout_id, a.id, a.rail, n.kind,
         extract(epoch from a.started_at), extract(epoch from a.ended_at), a.outcome, a.code,
         n.reason, a.message, a.session_id, a.reported::text)::text, 'UTF8')), 'hex')
  from (
    select merchant_id, mode, payout_id, id, 'PROVIDER_WEBHOOK' as kind,
           case reason
             when 'NOTICE_OTHER_RAIL' then 'PROVIDER_WEBHOOK_OTHER_RAIL'
             when 'NOTICE_NOT_SENT' then 'PROVIDER_WEBHOOK_NOT_SENT'
             else reason
           end as reason
      from payout_attempts
     where kind = 'NOTICE'
  ) n
 where a.merchant_id = n.merchant_id and a.mode = n.mode and a.payout_id = n.payout_id and a.id = n.id;

alter table payout_attempts add constraint payout_attempts_kind
  check (kind in ('SEND', 'QUERY', 'PROVIDER_WEBHOOK', 'SETTLEMENT', 'OPERATOR'));
