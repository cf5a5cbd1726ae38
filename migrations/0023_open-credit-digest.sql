-- What was reported and is not in the books says by a digest that nobody else wrote in it.

alter table open_credits add column digest text;
update open_credits set digest = encode(sha256(convert_to(json_build_array(rail, credit_key, mode, provider_transaction_id,
  provider_reference, session_id, account_number, reported_minor, source, status, reason, code, confirmed, attempts,
  extract(epoch from first_seen_at), extract(epoch from updated_at))::text, 'UTF8')), 'hex');
alter table open_credits alter column digest set not null;
comment on column open_credits.digest is 'SHA-256 in hex over the row, but for when it is due.';
