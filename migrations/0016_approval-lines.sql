-- A line of an approval says by a code what it is, and which thing it names, so that programs need no label. The digest of
-- an approval covers its lines, so it is written again with them, in its decisions and its events too. An approval that
-- is not what its digest says stays as it is, for the proof to find.

with codes (label, field) as (
  values
    ('Account name', 'accountName'), ('Bank', 'bankName'), ('Account number', 'accountNumber'),
    ('Nickname', 'nickname'), ('Bulk payout', 'batchReference'), ('File', 'fileName'), ('Payouts', 'payouts'),
    ('Invalid items that are left out', 'itemsLeftOut'), ('Amount', 'amount'), ('Fee', 'fee'), ('Fees', 'fee'),
    ('VAT', 'vat'), ('Stamp duty', 'stampDuty'), ('Total', 'total'), ('Largest payout', 'largestPayout'),
    ('Narration', 'narration'), ('Purpose', 'purpose'), ('Reference', 'reference'), ('Phone number', 'phoneNumber'),
    ('Paid on', 'scheduledFor'), ('Charges', 'charges'), ('Repeat what was paid or waits', 'duplicates'),
    ('Digest of the items', 'itemsDigest'), ('One payout', 'perPayout'), ('A day', 'perDay'),
    ('Approvals', 'isMakerCheckerEnabled'), ('Rules now', 'rulesBefore'), ('Rules then', 'rulesAfter')
),
lines as (
  select a.merchant_id, a.mode, a.id, l.place, l.line ->> 'label' as label, l.line ->> 'value' as value,
         coalesce(c.field, 'other') as field,
         case c.field when 'batchReference' then 'BATCH' when 'reference' then 'PAYOUT' end as subject_type,
         case when c.field in ('batchReference', 'reference') then a.subject_id end as subject_id
    from approvals a
   cross join lateral json_array_elements(a.shown::json) with ordinality as l (line, place)
    left join codes c on c.label = l.line ->> 'label'
),
coded as (
  select merchant_id, mode, id,
         string_agg(
           '{"field":' || to_json(field)::text || ',"label":' || to_json(label)::text || ',"value":' || to_json(value)::text
             || ',"subjectType":' || coalesce(to_json(subject_type)::text, 'null')
             || ',"subjectId":' || coalesce(to_json(subject_id)::text, 'null') || '}',
           ',' order by place
         ) as shown
    from lines
   group by merchant_id, mode, id
),
-- The text that the digest is over, before and after the lines.
texts as (
  select a.merchant_id, a.mode, a.id, a.kind, a.digest, a.shown, '[' || coalesce(c.shown, '') || ']' as shown_now,
         '[["manilla-approval",' || case when a.made_ip is null then '1' else '2' end || '],["' || a.merchant_id
           || '","' || a.mode || '","' || a.id || '","' || a.kind || '","' || a.subject_id || '"],['
           || to_json(a.title)::text || ',' || coalesce('"' || a.amount_minor || '"', 'null') || ','
           || coalesce('"' || a.charges_minor || '"', 'null') || ',' || to_json(a.currency)::text || '],' as before,
         ',' || to_json(a.payload)::text || ',[' || a.needed || ',' || a.rules_version || '],['
           || coalesce(to_json(a.made_by)::text, 'null') || ',' || to_json(a.made_by_name)::text || ','
           || to_json(a.made_via)::text || ',"'
           || to_char(a.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
           || coalesce(',' || to_json(a.made_ip)::text, '') || ']]' as after
    from approvals a
    left join coded c on c.merchant_id = a.merchant_id and c.mode = a.mode and c.id = a.id
),
rewritten as (
  select merchant_id, mode, id, digest, shown, shown_now,
         case kind when 'SCHEDULE' then 'PAYOUT' else kind end as subject_type,
         encode(sha256(convert_to(before || to_json(shown_now)::text || after, 'UTF8')), 'hex') as digest_now
    from texts
   where digest = encode(sha256(convert_to(before || to_json(shown)::text || after, 'UTF8')), 'hex')
),
approvals_written as (
  update approvals a
     set shown = r.shown_now, digest = r.digest_now
    from rewritten r
   where a.merchant_id = r.merchant_id and a.mode = r.mode and a.id = r.id
),
decisions_written as (
  update approval_decisions d
     set digest = r.digest_now
    from rewritten r
   where d.merchant_id = r.merchant_id and d.mode = r.mode and d.approval_id = r.id and d.digest = r.digest
)
update events e
   set data = replace(
         replace(
           replace(e.data, '"subjectId":', '"subjectType":"' || r.subject_type || '","subjectId":'),
           '"digest":"' || r.digest || '"', '"digest":"' || r.digest_now || '"'
         ),
         ',"shown":' || r.shown || ',', ',"shown":' || r.shown_now || ','
       )
  from rewritten r
 where e.merchant_id = r.merchant_id and e.mode = r.mode and e.subject_id = r.id
   and e.type in ('approval.requested', 'approval.decided');

comment on column approvals.shown is
  'JSON text: an array of field, label, value, subjectType and subjectId. Nothing decides by a label.';
