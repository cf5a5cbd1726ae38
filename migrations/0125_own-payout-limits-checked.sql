-- The rows that were there are checked apart from the lock that the new rule takes.
alter table payout_limits validate constraint payout_limits_owner;
