-- Refunds are searched: those that were made before are read into each index.

update search_cursors set filling = 'refunds', filled_to = null
 where filling is null or filling in ('payouts', 'transactions');
