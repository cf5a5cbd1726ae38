-- no-transaction: The index of 0114 keeps open numbers unique, too.

drop index concurrently if exists receiving_numbers_one_open;
