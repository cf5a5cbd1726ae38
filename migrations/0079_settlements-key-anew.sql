-- no-transaction: PostgreSQL breaks ties between indexes by the newest, and 0078 made one: the index of the primary key is built anew.

create unique index concurrently merchant_settlements_pk_anew on merchant_settlements (merchant_id, mode, id);
