-- no-transaction: The index of 0114 begins with what this one has.

drop index concurrently if exists receiving_numbers_by_number;
