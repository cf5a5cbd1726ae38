-- What a payout is charged follows from these rows, and an altered one that has priced nothing yet would be seen by nobody:
-- each gets a digest of itself as it was made. Null: made by a release before this one, after this migration.
alter table fee_rules add column digest text;
update fee_rules
   set digest = encode(sha256(convert_to(json_build_array(
         id, currency, kind, min_amount_minor, max_amount_minor, flat_minor, rate_basis_points, payer, exempt_purposes,
         rounding, extract(epoch from effective_from), source)::text, 'UTF8')), 'hex');
