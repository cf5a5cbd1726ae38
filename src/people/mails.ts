import type { NewMail } from '../mail/index.ts';
import { lagosClock } from '../platform/clock.ts';

/** Every mail that people get of us, in plain text. */

interface Linked {
  link: string;
  expiresAt: Date;
}

/** As the pages name them. */
export const roleInWords = (role: string): string => (role === 'ADMIN' ? 'administrator' : role.toLowerCase());

/** What a person should do whose password somebody else knows. */
const NEW_PASSWORD = 'choose a new password now ("Forgot your password?" under the sign-in)';

const SIGNATURE = '\n\nManilla';

/**
 * The group of mails about a person's own sign-in, which a person can cause at will: the first one is sent at once, and
 * those of the next minutes together, so that nobody else waits for them. Mails with a link that somebody waits for are
 * counted instead.
 */
const SIGN_IN_GROUP = 'sign-in';

function mail(to: string, subject: string, paragraphs: readonly string[], link: string | null = null): NewMail {
  return { to, subject, text: `${paragraphs.join('\n\n')}${SIGNATURE}`, link };
}

export function confirmMail(to: string, { link, expiresAt }: Linked): NewMail {
  return mail(
    to,
    'Open your account',
    [
      'Somebody, perhaps you, wants to open an account with this address. Open this link to choose a password and go on:',
      link,
      `It works once, until ${lagosClock(expiresAt)} Lagos time.`,
      'If it was not you, do not open it: nothing happens without it.',
    ],
    link,
  );
}

export function addressTakenMail(to: string, signInLink: string): NewMail {
  return mail(
    to,
    'You have an account already',
    [
      'Somebody, perhaps you, tried to sign up with this address. It belongs to an account already, so nothing was made.',
      `If it was you, sign in here, or choose a new password there: ${signInLink}`,
      'If it was not you, there is nothing to do.',
    ],
    signInLink,
  );
}

/**
 * For the address of a person who was removed: it stays theirs, so neither signing up nor a new password is possible.
 */
export function removedMail(to: string): NewMail {
  return mail(to, 'Your account was closed', [
    'Somebody, perhaps you, tried to sign up or to choose a new password with this address. It belonged to somebody who was removed from a business, so nothing was done.',
    'If it was you, ask a person who manages the people of that business to invite you again, or sign up with another address.',
    'If it was not you, there is nothing to do.',
  ]);
}

export function resetMail(to: string, { link, expiresAt }: Linked): NewMail {
  return mail(
    to,
    'Choose a new password',
    [
      'Somebody, perhaps you, asked for a new password for this address. Open this link to choose one:',
      link,
      `It works once, until ${lagosClock(expiresAt)} Lagos time.`,
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
    link,
  );
}

export function nobodyHereMail(to: string, signUpLink: string): NewMail {
  return mail(
    to,
    'There is no account with this address',
    [
      'Somebody, perhaps you, asked for a new password for this address, but no account has it.',
      `If it was you, you may have signed up with another address. You can sign up here: ${signUpLink}`,
      'If it was not you, there is nothing to do.',
    ],
    signUpLink,
  );
}

export function invitationMail(
  to: string,
  by: { name: string; organization: string; role: string | null },
  { link, expiresAt }: Linked,
): NewMail {
  const as = by.role === null ? '' : ` as ${roleInWords(by.role)}`;
  return mail(
    to,
    `Join ${by.organization}`,
    [
      `${by.name} has invited you to ${by.organization}${as}. Open this link to choose a password and join:`,
      link,
      `It works once, until ${lagosClock(expiresAt)} Lagos time.`,
    ],
    link,
  );
}

export function invitationToTakenMail(to: string, by: { name: string; organization: string }): NewMail {
  return mail(to, `Join ${by.organization}`, [
    `${by.name} has invited you to ${by.organization}, but this address belongs to an account of another business already.`,
    `One address is one person here. Ask ${by.name} to invite you under another address.`,
  ]);
}

function signInMail(to: string, subject: string, paragraphs: readonly string[]): NewMail {
  return { ...mail(to, subject, paragraphs), group: SIGN_IN_GROUP };
}

export function passwordChangedMail(to: string, at: Date): NewMail {
  return signInMail(to, 'Your password was changed', [
    `Your password was changed on ${lagosClock(at)} Lagos time, and you were signed out everywhere else.`,
    `If it was not you, ${NEW_PASSWORD} and tell a person who manages the people of your business.`,
  ]);
}

export function secondFactorResetMail(to: string, at: Date): NewMail {
  return signInMail(to, 'Your second factor is off', [
    `The operator of Manilla turned the second factor of your account off on ${lagosClock(at)} Lagos time, because somebody, perhaps you, had lost it. You were signed out everywhere.`,
    'Your password alone signs you in now. Please turn the second factor on again under "Your sign-in and sessions".',
    `If it was not you who asked, ${NEW_PASSWORD} and tell the operator.`,
  ]);
}

export function secondFactorMail(to: string, isOn: boolean, at: Date): NewMail {
  return signInMail(to, `Your second factor is ${isOn ? 'on' : 'off'}`, [
    `The second factor of your account was turned ${isOn ? 'on' : 'off'} on ${lagosClock(at)} Lagos time.`,
    `If it was not you, ${NEW_PASSWORD} and tell a person who manages the people of your business.`,
  ]);
}
