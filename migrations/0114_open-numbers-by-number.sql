-- no-transaction: Open numbers had an index by their provider and one by themselves. One serves both: the number first.

create unique index concurrently receiving_numbers_one_open_anew on receiving_numbers (account_number, rail) where closed_at is null;
