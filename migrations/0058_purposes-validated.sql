-- Every payout has one of the purposes that there are now, the older ones as well.

alter table payouts validate constraint payouts_purpose;
