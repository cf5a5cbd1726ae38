import { randomBytes } from 'node:crypto';
import { addOperator } from '../people/index.ts';
import type { Command } from './command.ts';

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
