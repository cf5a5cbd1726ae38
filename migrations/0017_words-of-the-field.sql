-- Tables, columns and constraints have the words of the field, as the code has; what nothing reads any more goes. The
-- release before cannot run on it: its processes are stopped first.

alter table claims rename to unique_keys;
alter table unique_keys rename constraint claims_pk to unique_keys_pk;
alter table unique_keys rename constraint claims_mode to unique_keys_mode;
comment on table unique_keys is
  'A value that can be taken once for ever, such as a merchant''s own reference. It leads to what took it.';

alter table marks rename to reservations;
alter table reservations rename column noted_at to reserved_at;
alter table reservations rename constraint marks_pk to reservations_pk;
alter table reservations rename constraint marks_mode to reservations_mode;
comment on table reservations is
  'A value that is held for a time, or until it is released. It leads to what reserved it last.';

alter table allowances rename to limit_usage;
alter table limit_usage rename constraint allowances_pk to limit_usage_pk;
alter table limit_usage rename constraint allowances_mode to limit_usage_mode;
alter table limit_usage rename constraint allowances_used to limit_usage_used;

alter table sign_in_tries rename to sign_in_attempts;
alter table sign_in_attempts rename column tries to attempts;
alter table sign_in_attempts rename column last_tried_at to last_attempt_at;
alter table sign_in_attempts rename constraint sign_in_tries_pk to sign_in_attempts_pk;
alter table sign_in_attempts rename constraint sign_in_tries_count to sign_in_attempts_count;
alter index sign_in_tries_by_time rename to sign_in_attempts_by_time;

alter table mails rename column tries to attempts;
alter table mails rename column given_up_at to abandoned_at;

alter table sessions rename column fresh_until to step_up_until;
alter table sessions drop constraint sessions_stage;
update sessions set stage = case stage when 'HALF' then 'MFA_PENDING' else 'FULL' end;
alter table sessions add constraint sessions_stage check (stage in ('MFA_PENDING', 'FULL'));
comment on column sessions.stage is 'MFA_PENDING: the code of the second factor is still to come.';
comment on column sessions.step_up_until is
  'Until then what is sensitive does not ask for the password again. Null: it asks.';

alter table merchant_documents rename column content_mark to content_hash;

alter table sandbox_rail_transfers rename column notices_delivered to webhooks_delivered;
alter table sandbox_rail_transfers rename column next_notice_at to next_webhook_at;
alter index sandbox_rail_transfers_next_notice_idx rename to sandbox_rail_transfers_next_webhook_idx;

alter table payouts rename column claim_id to lease_id;
alter table payouts rename column told_by to ended_by;
alter table payouts rename constraint payouts_told_by_its_rail to payouts_ended_by_its_rail;
alter table payouts rename constraint payouts_other_rail_took_over to payouts_failed_over_to_another_rail;

alter index webhook_endpoints_told rename to webhook_endpoints_enabled;
alter table webhook_deliveries rename constraint webhook_deliveries_told to webhook_deliveries_delivered;

drop table merchant_pins;
alter table payouts drop column mark;
alter table batches drop column content_digest;
alter table batch_items drop column reason, drop column warnings;
alter table sign_ups
  drop column password_hash, drop column business_name, drop column first_name, drop column last_name,
  drop column phone_number;

update batch_items
   set item_errors = replace(item_errors, '"ACCOUNT_OWNER_NOT_TOLD_IN_TIME"', '"NAME_ENQUIRY_TIMED_OUT"')
 where item_errors like '%"ACCOUNT_OWNER_NOT_TOLD_IN_TIME"%';
