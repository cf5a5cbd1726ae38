-- no-transaction: PostgreSQL breaks ties between indexes by the newest, and 0093 and 0094 made two: that of the key is built anew.

create unique index concurrently transactions_pk_anew on transactions (merchant_id, mode, id);
