-- References that public keys gave to payment sessions get a scope of their own.

-- Each is found by the primary key of unique_keys, and nothing else is locked. A process of the version before goes on
-- writing them under the old scope: it is stopped first (docs/operations.md, Upgrade).
update unique_keys k set scope = 'PAYMENT_SESSION_PUBLIC_REFERENCE'
  from payment_sessions s
 where s.opened_by = 'PUBLIC_KEY' and k.merchant_id = s.merchant_id and k.mode = s.mode
   and k.scope = 'PAYMENT_SESSION_REFERENCE' and k.value = s.reference and k.subject_id = s.id;
