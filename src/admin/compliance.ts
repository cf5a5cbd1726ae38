import {
  confirmCompliance,
  FREEZE_SUBJECTS,
  type FreezeEntry,
  isInForce,
  makeFreeze,
  proposeLift,
  readFreezes,
} from '../compliance/index.ts';
import { type Command, EMAIL, modeOf, oneOf, PAGE_OPTIONS, pageOf, signIn, warnOfRest } from './command.ts';

const list: Command = {
  name: 'list-freezes',
  confidential: true,
  audit: 'PERSONAL_DATA',
  about: 'what is frozen, newest first',
  options: { ...PAGE_OPTIONS },
  async run(deps, options) {
    const at = deps.clock.now();
    const found = await readFreezes(deps.database, { isInForce: true, at }, pageOf(options));
    for (const row of found.rows) deps.print(lineOf(row, at));
    warnOfRest(deps, found, 'Nothing is frozen.');
  },
};

function lineOf({ freeze, lift }: FreezeEntry, at: Date): string {
  const { id, mode, subject, bank_name, account_number, payer_name, reference, merchant_id, reason, owner } = freeze;
  const named = [bank_name, account_number, payer_name, reference, merchant_id].filter((part) => part !== null);
  const proposed = lift === undefined ? 'no proposal' : `proposal ${lift.id} digest ${lift.digest_now}: ${lift.note}`;
  const state = isInForce(freeze, at) ? 'IN_FORCE' : 'AHEAD';
  return [id, mode, state, subject, named.join(' '), reason, owner, `holds ${freeze.open_cases}`, proposed].join('\t');
}

const make: Command = {
  name: 'freeze',
  confidential: true,
  audit: 'PERSONAL_DATA',
  about: 'freeze an account, a payer, a reference or a merchant; two people lift it',
  options: {
    mode: { type: 'string', about: 'SANDBOX or LIVE', required: true },
    subject: { type: 'string', about: FREEZE_SUBJECTS.join(', '), required: true },
    bank: { type: 'string', about: 'code of the bank, of an account' },
    account: { type: 'string', about: 'account number, of an account or a payer' },
    payer: { type: 'string', about: 'name, of a payer' },
    reference: { type: 'string', about: 'of one payment or payout' },
    merchant: { type: 'string', about: 'id of the merchant' },
    reason: { type: 'string', about: 'why', required: true },
    'legal-basis': { type: 'string', about: 'by which order or law', required: true },
    owner: { type: 'string', about: 'who is responsible for it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const given = {
      mode: modeOf(options.text('mode')),
      subject: oneOf(options, 'subject', FREEZE_SUBJECTS),
      bankCode: options.maybe('bank'),
      accountNumber: options.maybe('account'),
      payerName: options.maybe('payer'),
      reference: options.maybe('reference'),
      merchantId: options.maybeId('merchant'),
      reason: options.text('reason'),
      legalBasis: options.text('legal-basis'),
      owner: options.text('owner'),
      endsAt: null,
    };
    const { personId } = await signIn(deps, options);
    const { id } = await makeFreeze(deps.collections(), { ...given, personId });
    deps.warn('It is frozen. Two people lift it, with propose-lift and confirm-lift.');
    deps.print(id);
  },
};

const propose: Command = {
  name: 'propose-lift',
  confidential: true,
  audit: 'PERSONAL_DATA',
  about: 'say that a freeze is to be lifted; another person confirms it',
  options: {
    freeze: { type: 'string', about: 'id of the freeze', required: true },
    note: { type: 'string', about: 'what was seen, where, and who said it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const given = { freezeId: options.id('freeze'), note: options.text('note') };
    const { personId } = await signIn(deps, options);
    const { proposalId, digest } = await proposeLift(deps, { ...given, personId });
    deps.warn('It is in force until another person confirms it with confirm-lift.');
    deps.print(`${proposalId}\t${digest}`);
  },
};

const confirm: Command = {
  name: 'confirm-lift',
  confidential: true,
  audit: 'PERSONAL_DATA',
  about: "confirm another person's proposal: the freeze is lifted",
  options: {
    proposal: { type: 'string', about: 'id of the proposal', required: true },
    digest: { type: 'string', about: 'of the proposal, as list-freezes shows it', required: true },
    email: EMAIL,
  },
  async run(deps, options) {
    const shown = { proposalId: options.id('proposal'), digest: options.text('digest') };
    const { personId } = await signIn(deps, options);
    const { freeze_id } = await confirmCompliance(deps.collections(), { ...shown, personId });
    deps.print(`${freeze_id}\tLIFTED`);
  },
};

export const complianceCommands: readonly Command[] = [list, make, propose, confirm];
