-- An answer of a rail is believed only about the transfer that was sent: what the rail reported of it (reference, amount,
-- currency, account, bank) is kept beside the answer, as JSON text. Null: it reported nothing of it.
alter table payout_attempts add column reported text;
