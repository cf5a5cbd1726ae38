import { createHash } from 'node:crypto';
import { PLACEMENTS } from '../../src/placements.ts';
import type { Rule, SourceFile } from './rules.ts';

/**
 * Tables that belong to no single merchant, each with the reason. Any other table is a tenant's: `merchant_id` is its
 * first column and begins its primary key, its unique constraints and its indexes, so that it can be distributed.
 */
const NOT_A_TENANTS: Readonly<Record<string, string>> = {
  merchants: 'one row a merchant; its id is the merchant_id of every other table',
  services: 'reference data: what a merchant may have enabled',
  banks: 'reference data: the bank directory',
  fee_rules: 'reference data: dated fees, VAT and duty',
  payout_limits: 'reference data: dated limits of all merchants or of one',
  tier_limits: 'reference data: dated limits of tiers, few and read whole',
  report_thresholds: 'reference data: dated, few and read whole',
  screening_lists: 'reference data: versions of lists of names that are no merchants',
  screening_entries: 'reference data: what these lists name, read whole',
  people: 'directory: an e-mail address leads to one person, of the operator or of a merchant',
  sessions: 'directory: the hash of a session’s secret leads to its person, of the operator or of a merchant',
  devices: 'directory: the hash of a browser’s secret leads to a person, of the operator or of a merchant',
  links: 'directory: the hash of a link’s secret leads to what it is about, before any merchant is known',
  sign_ups: 'who has not confirmed an address yet is no merchant',
  invitations: 'directory: who may become a person, of the operator or of a merchant',
  people_changes: 'what a second person has to agree to, about people of the operator or of a merchant',
  mails: 'the outbox of the whole installation, also to addresses that are nobody’s',
  api_key_directory: 'directory: a key hash leads to its merchant',
  sign_in_tries: 'counts wrong passwords by address, also of nobody',
  settlement_imports: 'the files of a rail, which pays for many merchants',
  settlement_lines: 'lines of such a file, also those that are no merchant’s',
  provider_settlements: 'what providers settled, of payments to many merchants',
  provider_settlement_lines: 'lines of such a settlement, also those that are no merchant’s',
  provider_settlement_fetches: 'which settlements providers list, of payments to many merchants',
  daily_closes: 'the operator’s own days, of all merchants together',
  journal_accounts: 'what the operator’s accountant calls the accounts of all books',
  provider_settlement_polls: 'up to where lists of them were read, by provider account',
  announcements: 'what the operator writes to merchants, to all of them or to some',
  availability_rules: 'reference data: dated rules of all merchants or of one, few and read whole',
  freezes: 'what the operator has frozen, which may be at banks and of payers that are no merchants',
  compliance_proposals:
    'what two people of the operator decide about freezes, across merchants, and about what is held',
  merchant_settlement_rules: 'reference data: dated terms of all merchants or of one, few and read whole',
  bank_holidays: 'reference data: days on which banks are closed',
  reserve_rules: 'reference data: dated rules of all merchants or of one, few and read whole',
  float_checks: 'the rails’ balances against the books of all merchants',
  rail_accounts: 'reference data: the operator’s accounts at providers, few and read whole',
  default_rails: 'reference data: one row a mode',
  payout_directory: 'directory: what an operator knows of a payout leads to it, across merchants',
  rail_daily_totals: 'what each rail ended by day, of payouts of many merchants',
  refund_keys: 'directory: what a provider’s webhook names leads to refunds',
  rail_references: 'directory: a reference that a rail names leads to the payout',
  audit_entries: 'the operator reads it across merchants by time, and actions of no merchant are in it',
  verify_runs: 'proofs of the books of all merchants',
  peppers: 'which peppers hashes of the whole installation are under, a handful of rows',
  encryption_keys: 'which key values of the whole installation are sealed under, one row',
  account_numbers: 'directory: an account number leads to its wallet',
  default_wallet_providers: 'reference data: one row a mode',
  receiving_numbers: 'directory: an account number at a provider leads to the wallet that it is for',
  credit_directory: 'directory: a transfer at a provider leads to the payment that it became',
  open_credit_proposals: 'what two people decide about a reported credit: whose it is may be unknown',
  open_credits: 'what a provider reported and nobody was credited with: whose it is may be unknown',
  credit_polls: 'one row a provider account, which serves many merchants',
  payment_link_slugs: 'directory: the address of a payment link leads to the link, before any merchant is known',
  receipt_link_tokens: 'directory: the address of a shared receipt leads to its link, before any merchant is known',
  collection_origins: 'directory: an origin leads to the merchants that allow its pages',
  dispute_directory: 'directory: a dispute at a provider leads to the dispute, whose it is may be unknown',
  dispute_polls: 'one row a provider account, which serves many merchants',
  sandbox_settlements: 'the simulated bank’s own book, which it lists by time for all merchants',
  sandbox_disputes: 'the simulated bank’s own book, which it lists by time for all merchants',
  sandbox_credits: 'the simulated bank’s own book, which it lists by time for all merchants',
  manual_credit_references:
    'directory: a reference of the operator’s bank leads to the one credit for it, whoever’s it is',
};

const DUE_OF_ALL = 'workers look for what is due of all merchants, by time, and nothing else names its condition';
/** Indexes of tenants' tables that begin otherwise, each with the reason. */
const BEGINS_OTHERWISE: Readonly<Record<string, string>> = {
  batches_due_at: DUE_OF_ALL,
  books_by_activity: 'workers look for books of all merchants that went on lately',
  compliance_cases_by_freeze: 'a freeze holds payments and payouts of many merchants',
  compliance_cases_newest: 'the operator lists those of all merchants, newest first',
  compliance_cases_open_newest: 'the operator lists those of all merchants, newest first',
  inbound_payments_large: 'the operator lists large ones of all merchants, by time; few are in it',
  merchant_settlement_schedules_due_at: DUE_OF_ALL,
  payment_sessions_due_at: DUE_OF_ALL,
  payments_to_refund_due_at: DUE_OF_ALL,
  payouts_due_at: DUE_OF_ALL,
  refunds_due_at: DUE_OF_ALL,
  reserves_due_at: DUE_OF_ALL,
  search_documents_by_token: 'merchant, mode and kind are in every hash that it has',
  transactions_large: 'the operator lists large ones of all merchants, by time; few are in it',
  virtual_accounts_due_at: DUE_OF_ALL,
  webhook_endpoints_to_retry: 'workers look for those of all merchants that are due; few are in it',
};

const NAME = /^migrations\/\d{4}_[a-z0-9]+(-[a-z0-9]+)*\.sql$/;

export const migrationsSayWhy: Rule = (files) =>
  files.flatMap(({ path, text }) => [
    ...(NAME.test(path) ? [] : [`${path} is not named NNNN_short-name.sql`]),
    ...(/^-- \S.{14,}/.test(text) ? [] : [`${path} does not begin with a comment that says why`]),
  ]);

export const migrationNumbersAreUnique: Rule = (files) => {
  const numbers = files.map(({ path }) => path.slice(0, 'migrations/0000'.length));
  return files
    .filter((_, at) => numbers.indexOf(numbers[at] as string) !== at)
    .map(({ path }) => `${path} reuses a number`);
};

/** SHA-256 of every merged migration: databases have recorded it, so the file never changes again. */
const MERGED: Readonly<Record<string, string>> = {
  '0001_ledger.sql': 'b6a541120bd3f34e4568c1049647d95ea2815656c79059297354fc27943afd08',
  '0002_merchants.sql': '1e947c64dd5a41fda9651dab1ff80bc8c84a04a35a932eb1271098c3910f70d7',
  '0003_people.sql': '27746c1ec7490ec53c45853b1fb9725c0f7fde093bb75bcea78bfb579c8740a3',
  '0004_access.sql': '5a3482bbbd4d9d7bfb32765bde29c295c659394ba7b7f7d4c3ad47413c23339f',
  '0005_wallets.sql': '1385796ac1e51332c13ee182ff4e1e93e3c10af149cf3c29ed3fcaa3ef1548a8',
  '0006_banks-and-rails.sql': 'e18a50cfa4d22b69277818c844e6a1ba0427fbd92aadac9d1cbf63aab0787abc',
  '0007_payouts.sql': 'c972d5749bef94197aa3bdd3de19708209528105570e0889a1dc8915b9b6c9ff',
  '0008_batches.sql': '5343388b1cc808fa05c011d1832dc062e9e641738822cbd2e1ec474b3d1e83ee',
  '0009_approvals.sql': '7c59bd4aabb086868a5a4d384d8916947bf204d2fe543d94fff5695c1ee7e789',
  '0010_webhooks.sql': '1434254925c5611637857bc43e7185087d0a31d6475d45a587ead30ded6f02b4',
  '0011_reconciliation.sql': '6165fbb755f96c2c7b81ff61c7d2c8b94284a681fef45296f1fbf4203555ccf5',
  '0012_audit.sql': '26f8aa01f341cfa71f42d095d28b2bc886b82f8aa8562f3cf8b6fb3ad1d36991',
  '0013_batch-problems.sql': 'b36f929f49355a3d8dfd5541b950ebeecca254c3edff1466ed34e402df3f6649',
  '0014_provider-webhooks.sql': 'b4726b102a1d861617939886467136dd4d424f23111267b1eb0cf8c608bc24a5',
  '0015_batch-problems-hold.sql': '30d65eaa0b40413364ed555cf861580cef743b2173f69fea082abb673623e62c',
  '0016_approval-lines.sql': 'f272613403f291ad4c0cf880d2d7feadc1e4bd370af3f7c49e22698c6d5beb0e',
  '0017_words-of-the-field.sql': '2f1b2c6fe1c1b48c40fbe3739919efe3672f56a6095991eeb4276316116b9ca7',
  '0018_money-in.sql': '2182efabe45a5e32c835f55fbda2dd26e087e529a6c17e8b142a8e0cff94de84',
  '0019_sandbox-credits.sql': 'd5024aaa3d261787fb3403f0393e40d4aa153bef4fd601be86d6c244bfffe9cb',
  '0020_manual-credits.sql': '76f9c123a2b2acfd66821929a952b9e489c9b9630c553079965226255650e632',
  '0021_payment-sessions.sql': 'baf954d51cbf3e1a740cf56bed399fba9b56d101d1840b278e72c8267f88b326',
  '0022_suspense.sql': 'd9e3d6028022db82494af21af1b8fd4cacac85b7da57bc439a21933c48e5265b',
  '0023_open-credit-digest.sql': 'c07ae7bdc38d814e5d43b212517663d7ebc976fc4395d71a5db167b8099ce3b8',
  '0024_public-references.sql': '4439a9a1ecf09a80afe954859a6805bdfaeac924f230897f8d660337f443b6cf',
  '0025_account-numbers-not-open.sql': '5bec538d68a17743713194385c214c3b10c1353b867352e9aa289a26a7d375db',
  '0026_payment-links.sql': '8bd382fca44887c4d4a42d4b735eae5ce103fd6c1786c193e05278a510b863fa',
  '0027_collection-fees.sql': '6bcd1b82266b7504ca8f24620c453921dabc1b7ceb80a5e823291cd7ae5345e7',
  '0028_payments-in-by-status.sql': 'ad3d0fb17ac2e7cac11e2c593e5502cbf359b664ded5699553d7e2ca72cc8da6',
  '0029_accounts-of-customers.sql': 'ff864c80bcc42e6424989a31fe7a5e6ca92b7470338c3194b4aea945202108a4',
  '0030_provider-settlements.sql': 'f43cc27e6bc154c054eb9d329dcf289df8c5297ddcdac1b62157228f1d2235d8',
  '0031_payments-pending-settlement.sql': 'fc39b84dd780cb12405ec9afbb4cf72eebb8659bc339480258e3316723359c8d',
  '0033_file-mappings.sql': 'c3394ad2b35322d6dc075d00d18962d6e67f6d2a4706009f0e182f1a5e690e15',
  '0034_batch-groups.sql': '9bc8911f3d57862a0a3adf40d06a2fc66957e9259e79fde8832a62aaf9e37aa6',
  '0036_daily-totals.sql': 'b5251f93d70127ef2d5b7e7e902588239579d7d06f7c29c9a0968769f01f9889',
  '0037_search.sql': '3d905a62d74048c28976f04de787ad90b2d2551c079171ca93c04cdd4bd6a3ac',
  '0038_saved-views.sql': 'a9c9f764c49bfd3cf46e287b8af64377be23dc7c3acd3f4744997a4c6bd54e96',
  '0039_receipt-links.sql': '501eef9d12197a6268ebae6406d3eb17d05784d8c31266919453443cbe6cce78',
  '0040_operators-desk.sql': '23561c903d67b15230a3a2483a1be3d89ff001dbc6c75318d1ed5c8d6404b721',
  '0041_desk-records.sql': 'e35c2c552857020047827a768f3ee230448ae28d2ae5a231aae0b37374040f96',
  '0042_announcements.sql': '9c7f247e96fd17a0cadda22989faff59650d7f935d3af693e3b4803244a8a596',
  '0043_request-bodies.sql': 'f62af7eacbb5661bc326f1d142828044b930c62f83981917d19594388a367079',
  '0044_repeated-batches.sql': '10a32be02ad9855ea35f0f835d9867b2affa8354bfcb223015821916bbd53bee',
  '0045_keys-made-last.sql': 'bcd67a4c2ca4b17c7e7dc1ee16c02f34e1fd5b9a3cda0d7d910197487a7bb1e9',
  '0046_announcements-by-mail.sql': 'd972b72faf573cdb35358a02bf80fbd08aaf3f15eab084f6fb1195c736c8bc22',
  '0047_money-back.sql': 'e0b8ab42cedb92dd9b972e2220fc3d46bd431b22d186bb2efb6a09a1c3ced23f',
  '0048_money-back-holds.sql': 'e07f277cb01c7bcb49427e3750c2dd07ac8bb9dfedc6f6fabe41a9f339d95294',
  '0056_merchant-settlements.sql': '31fe5fef558a3947f6d7e53eea4dff390adb32c51789fa5b5f26712cc605999d',
  '0057_bank-holidays.sql': 'aac04282b061922a050374423ad95f0d8be4b4db30f61b3459ca53f3c684adba',
  '0058_purposes-validated.sql': 'dc6cdecfa6a9242f883a77d04213d5fd889b04c7e7d3b234e48844861c31f139',
  '0052_refund-outcomes.sql': '12e32388254cdc63958f33ae46027263887cebd4f26b38bc90db681d49d0e6f0',
  '0053_disputes.sql': 'b2fb0c5a0094f4a9ac8e1242ee8a8fc6075ef2b1991b7873d87adb75ab264d9b',
  '0050_refunds.sql': 'b74e1717b48c4350146a305ba97cf847fec2fbb1b4f7bedd786e8fc02aa95cd2',
  '0051_refunds-validated.sql': '8aa9451f201feb4dc39bd2b89dcf494c57131527176f92d821287dd119e38032',
  '0059_channels-of-payments.sql': '0a6a494121a7550dd1cbbe905c7a28c02723eb4ca4894f59bd688fc04edbd2dc',
  '0060_reserves.sql': '5774b318a0f36ff2305f33795f4421c3b99ffed63b4a57a413666491f10e624a',
  '0061_sandbox-cards.sql': '6a874a21347867bc7ab5faba941f923fa974b6e4cce2759605b8854940a673c9',
  '0062_deductions.sql': 'd09261b9aa85368969b03fdd0946dd3ffb0a502ede6816b811bf72a54434f357',
  '0063_fetched-settlements.sql': '84abf64270d7ddf0484a2f111b278e3b89c0ec768c32a2f854cb02d071aa7878',
  '0064_daily-closes.sql': 'f290ed881c4014704b081645f9c8900425b7f7141b65b693d3ae1b0dc9f3a10f',
  '0065_freezes.sql': 'd5740f1f3a568afb10b84e78ad62d2ee8b9f7191c8402e2b5a7618689b6d7249',
  '0066_screening.sql': 'fa5f9721887ca1289b9ea20f36ca05eae190c0cab84d442ded6989f6f1e5b937',
  '0067_tier-limits.sql': '6395fe537412d4f5926cdbd72d4bd57148e8cc02319780221903f91a387e4a6e',
  '0070_unordered-endpoints.sql': 'f48bc8e4f3ae6616cb90cff255ba6aa44614d9a2313307c9c9613fdbd07ae774',
  '0071_dispute-proposals.sql': 'f8cb36057a7dafb0764581a61c40a63fadf248030775a324eb7c1ecf192d1ac1',
  '0074_refund-rules.sql': '5d89376cbc77e776bc1b360aec89901c1017c2c2dc229ecabbddb3a13163563f',
  '0077_settlements-of-wallets.sql': 'f391199a9da61a6b6688514a20a94b8d8899b30dcb27fe7e051a060d4547eb93',
  '0078_settlements-by-wallet.sql': 'f0e3b67507165986cb2b7eee1782774abfa5d037cd8e571df3a847e694e0e118',
  '0079_settlements-key-anew.sql': '33de9543993971aaf5d52c17844fe54560e1f37b051f697e398aaeef596dada9',
  '0080_settlements-key-newest.sql': '274d3d3305fc31fcec6cd9f3f10eaed01598573af39d3fd2aaf93208b4ea1d74',
  '0081_disputes-looked-into.sql': '27b3e7117d559f57451b083a09a05ad254ed10349c3cfb9c9a2a2a55a84522db',
  '0082_disputes-looked-into-valid.sql': 'd01f786a2b849831a9be8e433adeae98a5c98a267b25be143cec7088da486903',
  '0083_sandbox-settlements.sql': '71557b888e6321b3cea3c7e701ebec328ae138f596e14ce1e418522a0a97d456',
  '0084_refunds-in-search.sql': '7e2a6ec9660a1dc76cddc923be4e09901a3feae44b1c5b5c7ec6c5e53ac0d032',
  '0086_keys-by-sequence.sql': '2fcef8213003d8e683a56dae51cf15ceebc67713df34ec3feaf104053eccaeb8',
  '0087_keys-by-sequence-gone.sql': '0d8587e9ace9aa5767c11f0ddf5955a28c0679515c8266e0f2dc22ed50d890d5',
  '0088_tokens-merged-at-once.sql': 'd0e5f4e35f9e988f3fb6ce42d798211215f1e5519486e3147baea9b2139d6660',
  '0089_payouts-by-batch-gone.sql': '83090923478a4c2c8aa4f11b50ed3f322bfde0c35fb6b660c877ed7c8ae4d4b8',
  '0091_statement-totals.sql': 'f5537152328d2f5c4ee70d82ae08b76730530179ba6764b5f416fcbcdc5f57a2',
  '0092_vacuumed-as-they-grow.sql': '8df5a713b1d7cb893e9aa75beb356b59a1b8ada46e1ed67828c94de250684d88',
  '0093_transactions-of-category.sql': 'aebe86e30b26c2faefe8e3c4e391e7baeb96816f31526d6d6315cb77d32e2a71',
  '0094_transactions-of-status.sql': 'a65f5c57d715685f557ddfa3400bc346d00b6443e8b5582a9f5af959b78c1a8e',
  '0095_transactions-by-category.sql': '00d4640167d7e4b533ea64d7285f54b072ecb4ccb5dc5677066bdc6a96ce1d3d',
  '0096_transactions-by-status.sql': '36f79c3c63095732779ed6ee85c37c741967a8f272be88d78c7af96eef0d1efd',
  '0097_transactions-key-anew.sql': 'bf40cc7ff65d6d559303b92216eb16364927413fc757da44b66c923652eaa32e',
  '0098_transactions-key-newest.sql': 'a62e51039a20d810caf3337ef0fafc42d5a7673ce50f20c3f61d0bb240ae4970',
  '0100_event-archives.sql': 'adf0a60777464c2fb6c37a3cd831d803c71c5ad83705c37aea4c18a84e71e725',
  '0101_large-payouts.sql': '86e8fb4260fbf378a73298338c00c86c122ab3161365623b4a39f57d2a7facfa',
  '0102_large-payments.sql': '846ceca1fbfd9b90885e39c51408e0c163df0a7961de128f6d6f8a37dd6105e9',
  '0103_cases-newest.sql': 'ad6006fb919db0de233b004baa46859aeddf41637504a87aa8e0afd5ab3de441',
  '0104_cases-open.sql': '5187779d02a59f4e897d03a0b10a4f19ee373016a2964f316183efe6399ec239',
  '0109_limits-of-merchant.sql': '3a61bbe08e61f36d312584b699cd831a0a6af7760b91835ce370148e9630fff5',
  '0111_disputes-that-ended-are-asked.sql': '82bb0935cb8a1b22eba08ec336e01f677d9117c4e56706999b49665ca445e843',
  '0110_disputes-that-ended.sql': '1ff0411f309c50c021df42f36594cdef42b13c58cfdba8b4a0f11f9e527995f4',
  '0113_encryption-keys.sql': '1ced4edcd97ff8e4d0ed6afa8767fab6dc5d7a817b49b910b5891f1bf53e651e',
  '0114_open-numbers-by-number.sql': '7575bc4c8a9f07ac12ae51f77315571968b6a61a15cc9a62075a34f4c03d743e',
  '0115_statement-totals-are-whole.sql': '22c35eed8d622d4ca91e69e3772129c6b5b6c87f51141cae4e274afddcddfd66',
  '0116_open-numbers-by-number-gone.sql': 'd619887f45e4c2ef8331336754b82be2a69147e03ebe9c05145924cfc7300f9c',
  '0117_open-numbers-once.sql': '3f8bfbff254d5dd712d415ce9aebf5954f82d68ae7cfe977e310281a61093017',
  '0118_open-numbers-name.sql': 'e7120b253eddce448773b82262f658948ed3b1b16fc210d973edc912d933f649',
  '0119_books-active-at.sql': '76ac2cca3f7e23c05dee709ca45c220dd7e4970be7f5c98006a3a19920a8e983',
  '0120_books-by-activity.sql': '750abeb7eb2395060091e5ecd953104a46264b7a95b50fd1916aeb578a2b5273',
  '0121_webhook-endpoints-to-retry.sql': '7a60460c40dd48fb69a031c528e7824c9fad2e4e77e9b5e0e997dd86f4dc271e',
  '0122_accounts-receivable.sql': '17cc29c7380caea74408512f5a72fba9e04c3208fe913e1461b99e764b1067b8',
  '0123_payouts-due-at.sql': '4f7dd0df0fed4105a21baa634a11702c16df5018cc05321c5033bd11d855e2b7',
  '0124_payment-sessions-due-at.sql': 'cd48868c124da7022981f77b96157241b6fc80e7fdba8e02ae09f0975d0b5efe',
  '0125_batches-due-at.sql': '54738158145364635ee87447a605a16e88910372576347ba88c1789935b084c8',
  '0126_reserves-due-at.sql': '3b63da4b9538bcaa5fa165800b0bdc501ca7c859f496da94dca5ced52ca181a8',
  '0127_refunds-due-at.sql': '35182dcd42fccd68da25d766e1bfd103d92b60bc86bda1d77c695f84997f6256',
  '0128_payments-to-refund-due-at.sql': 'c090f59f63b5f7c205fa29a639e15855e42de27bb7e10d7ae75e4c23f724375a',
  '0129_virtual-accounts-due-at.sql': '8c503fb36f8c3f0f9e669e5dd90828558033a64061414144ad123f0e42cfd417',
  '0130_merchant-settlement-schedules-due-at.sql': 'cbc8e82bafb63220acdde264cf89b120d218f85420fa529b4769ab7f586ec032',
  '0131_lost-archives.sql': 'f04d1a9c98808fe3ed2a6279865ffba4719ec419afe56492c530c78876105eac',
  '0132_event-templates.sql': '89c8cc560b3088e96c97e4e1877ad9a851484e70ea9cd6c76fa0f87bb6138d94',
};

export const mergedMigrationsNeverChange: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const name = path.slice('migrations/'.length);
    const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
    if (MERGED[name] === checksum) return [];
    return MERGED[name] === undefined
      ? [`${path} is new: its checksum ${checksum} belongs into MERGED`]
      : [`${path} was changed: restore it, and put the change in a new migration`];
  });

interface Table {
  name: string;
  path: string;
  body: string;
  /** The columns that the primary key begins with, in the table or added to it. */
  key: string;
}

export function withoutComments(text: string): string {
  return text.replaceAll(/--[^\n]*/g, '');
}

/** The text between the bracket at `open` and the one that closes it. */
function bracketed(text: string, open: number): string {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(open + 1, at);
  }
  return text.slice(open + 1);
}

export function tablesIn({ path, text }: SourceFile): Table[] {
  const sql = withoutComments(text);
  return [...sql.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?([a-z0-9_.]+)\s*\(/gi)].map((match) => {
    const name = match[1] as string;
    const body = bracketed(sql, match.index + match[0].length - 1);
    const added = new RegExp(
      `alter\\s+table\\s+${name}\\s+add\\s+constraint\\s+\\w+\\s+(primary\\s+key\\s*\\([^)]*)`,
      'i',
    );
    return { name, path, body, key: /\bprimary\s+key\s*\([^)]*/i.exec(body)?.[0] ?? added.exec(sql)?.[1] ?? '' };
  });
}

export function isTenants(name: string): boolean {
  return !(name in NOT_A_TENANTS);
}

export const tenantTablesBeginWithTheMerchant: Rule = (files) =>
  files
    .flatMap(tablesIn)
    .filter(({ name }) => isTenants(name))
    .flatMap(({ name, path, body, key }) => [
      ...(/^\s*merchant_id\s+uuid\s+not\s+null/i.test(body)
        ? []
        : [`${path}: ${name} does not begin with merchant_id uuid not null (or is it no tenant's table?)`]),
      ...(/\(\s*merchant_id\b/i.test(key)
        ? []
        : [`${path}: the primary key of ${name} does not begin with merchant_id`]),
      ...[...body.matchAll(/\bunique\s*(?:nulls\s+not\s+distinct\s*)?\(\s*([a-z_]+)/gi)]
        .filter((match) => match[1] !== 'merchant_id')
        .map((match) => `${path}: a unique constraint of ${name} begins with ${match[1]}, not merchant_id`),
    ]);

export const tablesHaveComments: Rule = (files) =>
  files.flatMap((file) =>
    tablesIn(file)
      .filter(({ name }) => !new RegExp(`comment\\s+on\\s+table\\s+${name}\\s+is\\s+'`).test(file.text))
      .map(({ name, path }) => `${path}: ${name} has no comment`),
  );

export const tenantIndexesBeginWithTheMerchant: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    [
      ...withoutComments(text).matchAll(
        /create\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?([a-z0-9_]+)\s+on\s+([a-z0-9_]+)\s*(?:using\s+\w+\s*)?\(\s*([a-z_]+)/gi,
      ),
    ]
      .filter((match) => isTenants(match[2] as string) && match[3] !== 'merchant_id')
      .filter((match) => !((match[1] as string) in BEGINS_OTHERWISE))
      .map((match) => `${path}: index ${match[1]} on ${match[2]} begins with ${match[3]}, not merchant_id`),
  );

export const modeIsChecked: Rule = (files) =>
  files
    .flatMap(tablesIn)
    .filter(({ name, body }) => isTenants(name) && /^\s*mode\s+text/im.test(body))
    .filter(({ body }) => !/check\s*\(\s*mode\s*(in\s*\(|=)/i.test(body))
    .map(({ name, path }) => `${path}: ${name} does not check mode`);

const FORBIDDEN: readonly [RegExp, string][] = [
  [/\bcreate\s+(or\s+replace\s+)?(trigger|function|procedure|sequence|rule)\b/i, 'a trigger, function or sequence'],
  [
    /\b(big|small)?serial\b|\bgenerated\s+(always|by\s+default)\s+as\s+identity\b/i,
    'a sequence: ids come from the application',
  ],
  [
    /\bdefault\s+(now|current_timestamp|clock_timestamp|gen_random_uuid|uuidv7|uuid_generate)/i,
    'a default that is not the application’s',
  ],
  [/\bdeferrable\b|\bexclude\s+using\b/i, 'a deferrable or exclusion constraint'],
  [/\bpg_(try_)?advisory/i, 'an advisory lock'],
];

/** What is meant to be there, with the reason. */
const MEANT: Readonly<Record<string, string>> = {
  'migrations/0012_audit.sql has a trigger, function or sequence':
    'the log refuses changes by itself, whoever asks; no money waits for it',
  'migrations/0132_event-templates.sql has a trigger, function or sequence':
    'processes of the release before write events through the view while they are replaced; no process of this one does',
};

export const nothingHindersDistribution: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    FORBIDDEN.filter(([pattern]) => pattern.test(withoutComments(text)))
      .map(([, what]) => `${path} has ${what}`)
      .filter((breach) => !(breach in MEANT)),
  );

/** Read with the merchants, of whom each server has a copy. */
const READ_WITH_MERCHANTS = new Set(['merchant_services', 'pins']);

/** Where a database is distributed, each table has its place; a tenant's table lies by its merchant. */
export const tablesHaveTheirPlaces: Rule = (files) => {
  const renamed = new Map(
    files.flatMap(({ text }) =>
      [...withoutComments(text).matchAll(/alter\s+table\s+(\w+)\s+rename\s+to\s+(\w+)/gi)].map(
        ([, before = '', now = '']) => [before, now] as const,
      ),
    ),
  );
  const dropped = new Set(
    files.flatMap(({ text }) => [...withoutComments(text).matchAll(/drop\s+table\s+(\w+)/gi)].map(([, name]) => name)),
  );
  return files.flatMap(tablesIn).flatMap(({ name: given, path }) => {
    const name = renamed.get(given) ?? given;
    const placement = PLACEMENTS[name];
    if (placement === undefined && dropped.has(name)) return [];
    if (placement === undefined) return [`${path}: ${name} has no place in src/placements.ts`];
    const isByMerchant = typeof placement === 'object' && placement.by === 'merchant_id';
    return isTenants(given) && !isByMerchant && !READ_WITH_MERCHANTS.has(name)
      ? [`${path}: ${name} is a tenant's and lies elsewhere than its merchant`]
      : [];
  });
};
