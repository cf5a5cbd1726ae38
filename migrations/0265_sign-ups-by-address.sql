-- no-transaction: whoever confirms an address ends every other sign-up of it.
create index concurrently sign_ups_by_email on sign_ups (email);
