import { createKnownRules, switchApprovalsOff } from '../approvals/index.ts';
import {
  changeMerchantStatus,
  createMerchant,
  disableServices,
  enableServices,
  listMerchants,
  type MerchantAction,
  type MerchantStatus,
  type NewMerchant,
  SERVICE_KEYS,
  setContactsShared,
  setRefundsEnabled,
} from '../merchants/index.ts';
import { decideOnboarding } from '../onboarding/index.ts';
import { manyOf } from '../platform/text.ts';
import { type Command, type Given, MERCHANT, UsageError } from './command.ts';

const PROFILE = {
  name: { type: 'string', about: 'registered name of the business', required: true },
  email: { type: 'string', about: 'e-mail address of the business', required: true },
  phone: { type: 'string', about: 'digits with the country prefix, 2348012345678', required: true },
  address: { type: 'string', about: 'street address' },
  city: { type: 'string', about: 'city' },
  state: { type: 'string', about: 'state' },
  category: { type: 'string', about: 'line of business' },
  'registration-number': { type: 'string', about: 'company registration number' },
  bvn: { type: 'string', about: 'bank verification number of a director, 11 digits' },
  'director-born': { type: 'string', about: 'date of birth of that director, YYYY-MM-DD' },
  'owner-first-name': { type: 'string', about: 'first name of the owner' },
  'owner-last-name': { type: 'string', about: 'last name of the owner' },
  'maker-checker': { type: 'boolean', about: 'what leaves the wallet needs the approval of a second person' },
} as const;

const createMerchantCommand: Command = {
  name: 'create-merchant',
  about: 'take in a merchant; it is not approved yet',
  options: PROFILE,
  async run(deps, options) {
    const input = newMerchant(options);
    const { merchantId } = await deps.database.transaction(async (tx) => {
      const made = await createMerchant({ queries: tx, secrets: deps.secrets, clock: deps.clock }, input);
      await deps.openWallets(tx, made.merchantId, input.businessName);
      return made;
    });
    deps.print(merchantId);
  },
};

function newMerchant(options: Given): NewMerchant {
  const email = options.text('email');
  const phoneNumber = options.text('phone');
  const firstName = ownerName(options, 'owner-first-name');
  const lastName = ownerName(options, 'owner-last-name');
  if (firstName === undefined && lastName !== undefined)
    throw new UsageError('--owner-last-name needs --owner-first-name.');
  const input: NewMerchant = {
    businessName: options.text('name'),
    email,
    phoneNumber,
    isMakerCheckerEnabled: options.flag('maker-checker'),
  };
  if (firstName !== undefined) {
    input.owner = { firstName, lastName: lastName ?? '', email, phoneNumber };
  }
  const optional = {
    address: 'address',
    city: 'city',
    state: 'state',
    businessCategory: 'category',
    registrationNumber: 'registration-number',
    bvn: 'bvn',
    directorDateOfBirth: 'director-born',
  } as const;
  for (const [field, option] of Object.entries(optional) as [keyof typeof optional, string][]) {
    const value = options.maybe(option);
    if (value !== undefined) input[field] = value;
  }
  return input;
}

const MAX_NAME_LENGTH = 80;

function ownerName(options: Given, option: string): string | undefined {
  const name = options.maybe(option);
  if (name !== undefined && name.length > MAX_NAME_LENGTH)
    throw new UsageError(`--${option} must be at most ${MAX_NAME_LENGTH} characters.`);
  return name;
}

function statusCommand(name: string, action: MerchantAction, about: string): Command {
  return {
    name,
    about,
    // A rejected merchant reads the reason in a mail; the other reasons are for the history.
    ...(action === 'reject' ? { shows: ['reason'] } : {}),
    options: { merchant: MERCHANT, reason: { type: 'string', about: 'why, for the history' } },
    async run(deps, options) {
      const decision = {
        merchantId: options.id('merchant'),
        actor: deps.actor,
        reason: options.maybeWords('reason'),
      };
      if (action === 'approve' || action === 'reject') {
        const decided = await decideOnboarding(deps, action, decision);
        if (decided === 'CONFIRMED') {
          deps.print('confirmed: another person has to accept the other settlement account');
          return;
        }
      } else await changeMerchantStatus({ queries: deps.database, clock: deps.clock }, action, decision);
      deps.print('done');
    },
  };
}

const STATUSES: readonly string[] = ['PENDING', 'ACTIVE', 'SUSPENDED'] satisfies MerchantStatus[];
const DEFAULT_LIST_LIMIT = 50;
const MAX_LIST_LIMIT = 1_000;

const listMerchantsCommand: Command = {
  name: 'list-merchants',
  audit: 'PERSONAL_DATA',
  about: 'id, status, review and name of each merchant, newest first',
  options: {
    status: { type: 'string', about: 'only PENDING, ACTIVE or SUSPENDED' },
    limit: { type: 'string', about: `how many, ${DEFAULT_LIST_LIMIT} by default, at most ${MAX_LIST_LIMIT}` },
    after: { type: 'string', about: 'last id of the page before' },
  },
  async run(deps, options) {
    const status = options.maybe('status')?.toUpperCase();
    if (status !== undefined && !STATUSES.includes(status)) {
      throw new UsageError(`--status must be one of ${STATUSES.join(', ')}.`);
    }
    const merchants = await listMerchants(deps.database, {
      status: status as MerchantStatus | undefined,
      after: options.maybeId('after'),
      limit: Math.max(1, Math.min(options.count('limit') ?? DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT)),
    });
    for (const merchant of merchants) {
      const { id, status: state, review_status: review, business_name: name, email } = merchant;
      deps.print([id, state, review, name, email].join('\t'));
    }
    if (merchants.length === 0) deps.warn('There are no merchants here.');
  },
};

export const merchantCommands: readonly Command[] = [
  createMerchantCommand,
  statusCommand('approve-merchant', 'approve', 'accept a merchant; it may move money'),
  statusCommand('reject-merchant', 'reject', 'turn a merchant down; it can still be approved later'),
  statusCommand('suspend-merchant', 'suspend', 'stop a merchant within two seconds'),
  statusCommand('reinstate-merchant', 'reinstate', 'end a suspension'),
  listMerchantsCommand,
];

const SERVICE_OPTIONS = {
  merchant: MERCHANT,
  service: { type: 'string', about: `one or more of ${SERVICE_KEYS.join(', ')}`, required: true, multiple: true },
} as const;

export const serviceCommands: readonly Command[] = [
  {
    name: 'enable-service',
    about: 'switch services on for a merchant',
    options: SERVICE_OPTIONS,
    async run(deps, given) {
      const services = (given.list('service') ?? []).map((service) => service.toUpperCase());
      await enableServices(
        { queries: deps.database, clock: deps.clock },
        { merchantId: given.id('merchant'), services },
      );
      for (const service of services) deps.print(`${service} is on`);
    },
  },
  {
    name: 'disable-service',
    about: 'switch services off; what was begun goes on',
    options: SERVICE_OPTIONS,
    async run(deps, given) {
      const services = (given.list('service') ?? []).map((service) => service.toUpperCase());
      await disableServices({ queries: deps.database }, { merchantId: given.id('merchant'), services });
      for (const service of services) deps.print(`${service} is off`);
    },
  },
];

const refundsCommand = (name: string, isEnabled: boolean, about: string): Command => ({
  name,
  audit: 'SETTINGS',
  about,
  options: { merchant: MERCHANT },
  async run(deps, given) {
    await setRefundsEnabled({ queries: deps.database }, { merchantId: given.id('merchant'), isEnabled });
    deps.print(`refunds are ${isEnabled ? 'on' : 'off'}`);
  },
});

export const refundCommands: readonly Command[] = [
  refundsCommand('enable-refunds', true, 'let a merchant refund its payments in'),
  refundsCommand('disable-refunds', false, 'refuse new refunds of a merchant; what was accepted goes on'),
];

const contactsCommand = (name: string, isEnabled: boolean, about: string): Command => ({
  name,
  audit: 'SETTINGS',
  about,
  options: { merchant: MERCHANT },
  async run(deps, given) {
    await setContactsShared({ queries: deps.database }, { merchantId: given.id('merchant'), isEnabled });
    deps.print(`stores and subaccounts ${isEnabled ? 'may' : 'may not'} use the BVN and phone number of the merchant`);
  },
});

export const contactCommands: readonly Command[] = [
  contactsCommand(
    'share-contacts',
    true,
    'let account numbers of stores and subaccounts use the merchant’s BVN and phone',
  ),
  contactsCommand('unshare-contacts', false, 'open no more of them with those; what is open stays'),
];

export const approvalCommands: readonly Command[] = [
  {
    name: 'switch-approvals-off',
    shows: ['reason'],
    audit: 'SETTINGS',
    about: 'let a merchant pay without approvals, where too few people are left who can decide',
    options: {
      merchant: MERCHANT,
      reason: { type: 'string', about: 'why, and who asked; the owners read it', required: true },
    },
    async run(deps, options) {
      const waiting = await switchApprovalsOff(
        { ...deps, approvalRules: createKnownRules(deps) },
        {
          merchantId: options.id('merchant'),
          operator: deps.actor,
          reason: options.words('reason'),
        },
      );
      for (const [mode, count] of Object.entries(waiting)) {
        if (count > 0)
          deps.warn(
            `${mode}: ${manyOf(count, 'still waits', 'still wait')}. Makers can withdraw what is theirs, an approver decides.`,
          );
      }
      deps.print('approvals are off');
    },
  },
];
