-- The index of what can be found takes the tokens of a whole step at once; the worker has them merged at the end of it.

alter index search_documents_by_token set (gin_pending_list_limit = 4096);
