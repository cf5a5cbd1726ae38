import { type Check, CLOCKS, check, NOBODY, SOON, sameTenant } from './queries.ts';

/** The provider accounts at which wallets may have numbers; the sandbox's own bank is none that the operator added. */
const PROVIDERS = `select name, mode from rail_accounts union all select 'sandbox', 'SANDBOX'`;

/** From the last attempt on, half an hour; from a lease, a minute. */
const wrongAccounts = check(
  'accounts-at-providers-are-of-wallets',
  'Every account at a provider is of a wallet there is, and of a customer there is where it names one, at a provider account of its mode; it is due to a worker until it is open or refused, or closed there too, and says why it was refused.',
  `select v.merchant_id, v.mode,
          format('account %s (%s) of wallet %s at %s, asked for %s times, due at %s: %s', v.id, v.status,
                 coalesce(w.id::text, 'none'), coalesce(r.name, 'nobody'), v.attempts, coalesce(v.due_at::text, 'no time'),
                 coalesce(v.message, 'no message')) as detail
     from virtual_accounts v
     left join wallets w on ${sameTenant('w', 'v')} and w.id = v.wallet_id
     left join (${PROVIDERS}) r on r.name = v.rail and r.mode = v.mode
     left join customers k on ${sameTenant('k', 'v')} and k.id = v.customer_id
     left join (
       select distinct merchant_id, mode, virtual_account_id from virtual_account_numbers
     ) n on ${sameTenant('n', 'v')} and n.virtual_account_id = v.id
    where (w.id is not null and r.name is not null and (v.customer_id is null or k.created_at <= v.requested_at + ${CLOCKS})
           and v.requested_at between w.created_at - ${CLOCKS} and v.updated_at + ${CLOCKS}
           and case v.status
                 when 'REQUESTED' then v.due_at <= v.updated_at + ${SOON} and v.due_at >= v.updated_at and v.attempts >= 0
                                       and (v.attempts > 0 or v.reason is null and v.updated_at = v.requested_at)
                                       and v.provider_account_id is null and n.virtual_account_id is null
                 when 'FAILED' then num_nonnulls(v.reason, v.message) = 2 and v.attempts > 0 and v.provider_account_id is null
                                    and n.virtual_account_id is null
                 when 'OPEN' then num_nonnulls(v.reason, v.message) = 0 and v.attempts > 0
                                  and v.provider_account_id is not null and n.virtual_account_id is not null
                 else v.attempts > 0 and v.provider_account_id is not null and n.virtual_account_id is not null
                      and (v.due_at is null or v.due_at >= v.updated_at and v.due_at <= v.updated_at + ${SOON})
               end) is not true`,
);

const STEPS = (state: string): string =>
  `select merchant_id, mode, subject_id, created_at from state_changes where subject = 'virtual_account' and to_state = '${state}'`;

/** A number is reserved in the directory before the wallet shows it: a payment may come in between. */
const wrongNumbers = check(
  'numbers-at-providers-lead-to-their-wallets',
  'Every account number of a wallet at a provider leads to that wallet, and to no other, from when its account was opened until it was closed.',
  `select coalesce(n.merchant_id, d.merchant_id) as merchant_id, coalesce(n.mode, d.mode) as mode,
          format('number %s of wallet %s (account %s, %s) leads to %s', coalesce(n.account_number, d.account_number),
                 coalesce(n.wallet_id::text, 'none'), coalesce(n.virtual_account_id, d.virtual_account_id),
                 coalesce(n.status, v.status, 'not there'), coalesce(d.wallet_id::text, 'nothing')) as detail
     from (
       select n.*, v.rail, v.status, v.wallet_id as account_wallet_id, v.closed_at as account_closed_at,
              o.created_at as was_opened_at, c.created_at as was_closed_at
         from virtual_account_numbers n
         left join virtual_accounts v on ${sameTenant('v', 'n')} and v.id = n.virtual_account_id
         left join (${STEPS('OPEN')}) o on ${sameTenant('o', 'n')} and o.subject_id = n.virtual_account_id
         left join (${STEPS('CLOSED')}) c on ${sameTenant('c', 'n')} and c.subject_id = n.virtual_account_id
     ) n
     -- Those of payment sessions have a proof of their own.
     full join (
       select d.* from receiving_numbers d
         left join payment_sessions q on ${sameTenant('q', 'd')} and q.id = d.virtual_account_id
        where q.id is null
     ) d
       on ${sameTenant('d', 'n')} and d.rail = n.rail and d.account_number = n.account_number
      and d.virtual_account_id = n.virtual_account_id
     left join virtual_accounts v on ${sameTenant('v', 'd')} and v.id = d.virtual_account_id
    where case when n.account_number is null
               -- The worker that reserved it may have died: it is asked for again.
               then (v.rail = d.rail and v.wallet_id = d.wallet_id and v.status in ('REQUESTED', 'FAILED')
                     and d.closed_at is null and d.opened_at between v.requested_at - ${CLOCKS} and v.updated_at + ${SOON}) is not true
               else (n.account_wallet_id = n.wallet_id and d.wallet_id = n.wallet_id
                     and n.opened_at = n.was_opened_at and n.closed_at is not distinct from n.was_closed_at
                     and n.account_closed_at is not distinct from n.was_closed_at
                     and d.opened_at between v.requested_at - ${CLOCKS} and n.opened_at + ${CLOCKS}
                     and d.closed_at is not distinct from n.closed_at) is not true end`,
);

const EVENT = `json_to_record(e.data::json)
                as x ("virtualAccountId" uuid, "walletId" uuid, status text, conclusive boolean, reason text, message text, mode text,
                      "requestedAt" timestamptz, "updatedAt" timestamptz, accounts json, "customerId" uuid,
                      "customerName" text, "closedAt" timestamptz)`;

const otherAccounts = check(
  'accounts-at-providers-are-reported-as-they-are',
  'Every account at a provider was reported once when it was opened or refused, and when it was closed, as it is, with the numbers and the customer that it has.',
  `select coalesce(v.merchant_id, e.merchant_id) as merchant_id, coalesce(v.mode, e.mode) as mode,
          format('account %s (%s): %s', coalesce(v.id, e.subject_id), coalesce(v.status, 'not there'),
                 case when e.sequence is null then 'no event reports it'
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from (
       select v.*, case v.status when 'FAILED' then 'FAILED' else 'OPEN' end as reported_status, s.created_at as ended_at
         from virtual_accounts v
         left join (
           select merchant_id, mode, subject_id, created_at from state_changes
            where subject = 'virtual_account' and to_state in ('OPEN', 'FAILED')
         ) s on ${sameTenant('s', 'v')} and s.subject_id = v.id
        where v.status <> 'REQUESTED'
     ) v
     full join (
       select e.merchant_id, e.mode, e.sequence, e.type, e.subject_id, e.created_at, x."virtualAccountId" as account_id,
              x."walletId" as wallet_id, x.status, x.reason, x.message, x.mode as reported_mode,
              x."requestedAt" as requested_at, x."updatedAt" as updated_at, x."customerId" as customer_id,
              x."customerName" as customer_name, x."closedAt" as closed_at
         from events e
        cross join lateral ${EVENT}
        where e.type in ('virtual_account.opened', 'virtual_account.failed')
     ) e on ${sameTenant('e', 'v')} and e.subject_id = v.id
    where (e.account_id = v.id and e.wallet_id = v.wallet_id and e.status = v.reported_status and e.reported_mode = v.mode
           and e.type = case v.reported_status when 'OPEN' then 'virtual_account.opened' else 'virtual_account.failed' end
           and case v.status when 'CLOSED' then num_nonnulls(e.reason, e.message) = 0
                         else e.reason is not distinct from v.reason and e.message is not distinct from v.message end
           and (e.customer_id, e.customer_name) is not distinct from (v.customer_id, v.holder_name) and e.closed_at is null
           and e.requested_at = v.requested_at and e.updated_at = v.ended_at and e.created_at = v.ended_at) is not true
   union all
   select coalesce(n.merchant_id, e.merchant_id), coalesce(n.mode, e.mode),
          format('account %s: it has the number %s (%s, %s), and %s was reported', coalesce(n.virtual_account_id, e.subject_id),
                 coalesce(n.account_number, 'none'), n.bank_name, n.account_name, coalesce(e.account_number, 'none'))
     from virtual_account_numbers n
     full join (
       select e.merchant_id, e.mode, e.subject_id, a."bankCode" as bank_code, a."bankName" as bank_name,
              a."accountNumber" as account_number, a."accountName" as account_name
         from events e
        cross join lateral ${EVENT}
        cross join lateral json_to_recordset(x.accounts)
                as a ("bankCode" text, "bankName" text, "accountNumber" text, "accountName" text)
        where e.type in ('virtual_account.opened', 'virtual_account.failed')
     ) e on ${sameTenant('e', 'n')} and e.subject_id = n.virtual_account_id and e.account_number = n.account_number
    where ((n.bank_name, n.account_name) = (e.bank_name, e.account_name)
           and n.bank_code is not distinct from e.bank_code) is not true
   union all
   select coalesce(v.merchant_id, e.merchant_id), coalesce(v.mode, e.mode),
          format('account %s (%s) was closed at %s; event %s says %s', coalesce(v.id, e.subject_id), v.status, v.closed_at,
                 coalesce(e.sequence::text, 'none'), coalesce(e."closedAt"::text, 'nothing'))
     -- A wallet's own is closed by nobody here.
     from (select * from virtual_accounts where closed_at is not null and customer_id is not null) v
     full join (
       select e.merchant_id, e.mode, e.sequence, e.subject_id, e.created_at, x."virtualAccountId", x."walletId", x.status,
              x.reason, x.message, x.mode as reported_mode, x."requestedAt", x."updatedAt", x."customerId", x."customerName",
              x."closedAt"
         from events e
        cross join lateral ${EVENT}
        where e.type = 'virtual_account.closed'
     ) e on ${sameTenant('e', 'v')} and e.subject_id = v.id
    where (e."virtualAccountId" = v.id and e."walletId" = v.wallet_id and e.status = 'CLOSED' and e.created_at = v.closed_at
           and (e."closedAt", e."updatedAt", e."requestedAt") = (v.closed_at, v.closed_at, v.requested_at)
           and e.reported_mode = v.mode and num_nonnulls(e.reason, e.message) = 0
           and (e."customerId", e."customerName") = (v.customer_id, v.holder_name)) is not true
   union all
   select coalesce(n.merchant_id, e.merchant_id), coalesce(n.mode, e.mode),
          format('account %s was closed with the number %s (%s, %s), and %s was reported',
                 coalesce(n.virtual_account_id, e.subject_id), coalesce(n.account_number, 'none'), n.bank_name, n.account_name,
                 coalesce(e.account_number, 'none'))
     from (
       select n.* from virtual_account_numbers n
         join virtual_accounts v on ${sameTenant('v', 'n')} and v.id = n.virtual_account_id
        where v.closed_at is not null and v.customer_id is not null
     ) n
     full join (
       select e.merchant_id, e.mode, e.subject_id, a."bankCode" as bank_code, a."bankName" as bank_name,
              a."accountNumber" as account_number, a."accountName" as account_name
         from events e
        cross join lateral ${EVENT}
        cross join lateral json_to_recordset(x.accounts)
                as a ("bankCode" text, "bankName" text, "accountNumber" text, "accountName" text)
        where e.type = 'virtual_account.closed'
     ) e on ${sameTenant('e', 'n')} and e.subject_id = n.virtual_account_id and e.account_number = n.account_number
    where ((n.bank_name, n.account_name) = (e.bank_name, e.account_name)
           and n.bank_code is not distinct from e.bank_code) is not true
   union all
   -- Events of an earlier release do not say it.
   select e.merchant_id, e.mode, format('event %s says of an account that is %s that this is %sfinal', e.sequence, x.status,
                                        case when x.conclusive then '' else 'not ' end)
     from events e
    cross join lateral ${EVENT}
    where e.type like 'virtual_account.%' and x.conclusive <> (x.status in ('FAILED', 'CLOSED'))
   union all
   -- Events from before customers had accounts are about the wallet.
   select e.merchant_id, e.mode, format('event %s reports a request for wallet %s, which %s', e.sequence, x."walletId",
                                        case when w.id is null then 'is not there' else 'it names otherwise' end)
     from events e
    cross join lateral ${EVENT}
     left join wallets w on ${sameTenant('w', 'e')} and w.id = x."walletId"
     left join virtual_accounts v on ${sameTenant('v', 'e')} and v.id = e.subject_id
    where e.type = 'virtual_account.requested'
      and (x.mode = e.mode and x."requestedAt" = e.created_at and w.id is not null
           and case when x."virtualAccountId" is null then e.subject_id = w.id
                    else (e.subject_id, x."walletId", x."requestedAt") = (x."virtualAccountId", v.wallet_id, v.requested_at)
                         and x."updatedAt" = x."requestedAt" and x.status = 'REQUESTED'
                         and num_nonnulls(x.reason, x.message, x."closedAt") = 0 and json_array_length(x.accounts) = 0
                         and (x."customerId", x."customerName") is not distinct from (v.customer_id, v.holder_name) end) is not true`,
);

/** A provider account that polls or opens accounts in another mode than its own would make play money live. */
const otherProviders = check(
  'providers-are-of-their-mode',
  'Everything that is asked of a provider account, for wallets or about credits, is asked in the mode that the account has.',
  `select ${NOBODY} as merchant_id, u.mode,
          format('%s uses %s, which is %s', u.what, u.rail, coalesce('for ' || r.mode, 'not there')) as detail
     from (
       select mode, rail, 'the default of wallets' as what from default_wallet_providers
        union all
       select mode, rail, 'the list of credits' from credit_polls
        union all
       select mode, rail, 'credit ' || credit_key from open_credits
     ) u
     left join (${PROVIDERS}) r on r.name = u.rail
    where r.mode is distinct from u.mode`,
);

export const virtualAccountChecks: readonly Check[] = [wrongAccounts, wrongNumbers, otherAccounts, otherProviders];
