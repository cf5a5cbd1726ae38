import { randomBytes } from 'node:crypto';
import { approversNeeded } from '../approvals/index.ts';
import { addOperator, merchantOfEmail, resetSecondFactor } from '../people/index.ts';
import { manyOf } from '../platform/text.ts';
import { type Command, type Given, givenTenant, MERCHANT, modeOf, THE_OPERATOR } from './command.ts';

export const peopleCommands: readonly Command[] = [
  {
    name: 'reset-second-factor',
    audit: 'PEOPLE',
    about: "switch a person's second factor off and end their sessions, after they lost phone and recovery codes",
    options: {
      email: { type: 'string', about: 'e-mail address that the person signs in with', required: true },
      reason: { type: 'string', about: 'why, and how you made sure who asks; for the audit log', required: true },
      'nobody-left': {
        type: 'boolean',
        about: 'none of the staff can sign in to agree to it; all of them are notified',
      },
    },
    // Its own person, and what its owners have by mail.
    shows: ['email', 'reason'],
    merchantOf: (deps, options) => merchantOfEmail(deps.database, options.text('email')),
    async run(deps, options) {
      const input = { email: options.text('email'), reason: options.words('reason'), actor: deps.actor };
      const nobodyLeft = options.flag('nobody-left');
      const reset = await resetSecondFactor({ ...deps, approversNeeded }, { ...input, nobodyLeft });
      if ('changeId' in reset) {
        deps.warn(
          'It waits until somebody else there who decides about approvals agrees, under People. They have mail.',
        );
      } else {
        deps.warn(
          `Their password alone signs them in now. ${manyOf(reset.sessionsEnded, 'session has', 'sessions have')} ended.`,
        );
      }
      deps.print(reset.personId);
    },
  },
];

const MADE_PASSWORD_BYTES = 18;

export const operatorCommands: readonly Command[] = [
  {
    name: 'create-operator',
    audit: 'PEOPLE',
    about:
      "let one of the operator's staff sign in; a password is made unless you give one. From the third on one of them agrees first",
    options: {
      email: { type: 'string', about: 'e-mail address to sign in with', required: true },
      'password-stdin': { type: 'boolean', about: 'read the password from standard input' },
    },
    async run(deps, options) {
      const made = options.flag('password-stdin') ? undefined : randomBytes(MADE_PASSWORD_BYTES).toString('base64url');
      const password = made ?? (await deps.readInput());
      const added = await addOperator(deps, { email: options.text('email'), password, actor: deps.actor });
      const { personId } = added;
      if (added.changeId !== null) {
        deps.warn('It waits until one of the staff agrees, under People at the desk. Then they are invited by mail.');
        deps.print(personId);
        return;
      }
      if (made === undefined) {
        deps.print(personId);
        return;
      }
      deps.warn('Keep this password now: it is stored as a hash only and cannot be shown again.');
      deps.print(`${personId}\t${made}`);
    },
  },
];

const MODE = { type: 'string', about: 'SANDBOX or LIVE: each has a PIN of its own', required: true } as const;
const wordOf = (options: Given) => modeOf(options.text('mode')).toLowerCase();

export const pinCommands: readonly Command[] = [
  {
    name: 'set-pin',
    audit: 'KEYS',
    about: "set a merchant's PIN of one mode, read from standard input",
    options: {
      merchant: MERCHANT,
      mode: MODE,
      pin: { type: 'string', about: 'the PIN itself; others on this machine may see it, so prefer standard input' },
    },
    async run(deps, options) {
      const tenant = givenTenant(options);
      const onCommandLine = options.maybe('pin');
      if (onCommandLine !== undefined) {
        deps.warn('A PIN on the command line stays in the shell history and is seen in the process list.');
      }
      await deps.pinGuard.setPin(tenant, onCommandLine ?? (await deps.readInput()), THE_OPERATOR);
      deps.print(`the ${wordOf(options)} PIN is set`);
    },
  },
  {
    name: 'unlock-pin',
    audit: 'KEYS',
    about: 'end the lock of one mode after five wrong PINs',
    options: { merchant: MERCHANT, mode: MODE },
    async run(deps, options) {
      await deps.pinGuard.unlockPin(givenTenant(options));
      deps.print(`the ${wordOf(options)} PIN is unlocked`);
    },
  },
];
