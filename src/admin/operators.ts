import { randomBytes } from 'node:crypto';
import { createPerson } from '../people/index.ts';
import type { Command } from './command.ts';

const MADE_PASSWORD_BYTES = 18;

export const operatorCommands: readonly Command[] = [
  {
    name: 'create-operator',
    audit: 'PEOPLE',
    about: "let one of the operator's staff sign in; a password is made unless you give one",
    options: {
      email: { type: 'string', about: 'e-mail address to sign in with', required: true },
      'password-stdin': { type: 'boolean', about: 'read the password from standard input' },
    },
    async run(deps, options) {
      const made = options.flag('password-stdin') ? undefined : randomBytes(MADE_PASSWORD_BYTES).toString('base64url');
      const password = made ?? (await deps.readInput());
      const { personId } = await createPerson(deps, { kind: 'OPERATOR', email: options.text('email'), password });
      if (made === undefined) {
        deps.print(personId);
        return;
      }
      deps.warn('Keep this password now: it is stored as a hash only and cannot be shown again.');
      deps.print(`${personId}\t${made}`);
    },
  },
];
