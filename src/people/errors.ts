import { lagosClock } from '../platform/clock.ts';
import { AppError, type FieldError } from '../platform/errors.ts';

export function emailTaken(): AppError {
  return new AppError('conflict', 'EMAIL_TAKEN', 'There is already a person with this e-mail address.', {
    errors: [{ field: 'email', message: 'belongs to somebody already' }],
  });
}

/** One text for anything that was wrong: a guess learns nothing. */
export function signInRefused(): AppError {
  return new AppError('unauthenticated', 'SIGN_IN_REFUSED', 'The e-mail address or the password is wrong.');
}

/** @param of what is locked, as a sentence begins with it: `Signing in with this address`. */
export function signInLocked(of: string, until: Date, now: Date): AppError {
  return new AppError(
    'locked',
    'SIGN_IN_LOCKED',
    `Too many attempts. ${of} is locked until ${lagosClock(until)} Lagos time.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
    },
  );
}

export function operatorNotFound(): AppError {
  return new AppError('forbidden', 'OPERATOR_NOT_FOUND', "This needs one of the operator's staff.");
}

/** For a person who is signed in: not 401, which would say that they are not. */
export function passwordWrong(): AppError {
  return new AppError('refused', 'PASSWORD_WRONG', 'The password is wrong.', {
    errors: [{ field: 'password', message: 'is wrong' }],
  });
}

export function passwordTooCommon(field: string): AppError {
  const message = 'is one of the passwords that are guessed first. Please choose another, such as four words.';
  return new AppError('refused', 'PASSWORD_TOO_COMMON', `This password ${message}`, { errors: [{ field, message }] });
}

export function tooBusyToHash(): AppError {
  return new AppError('unavailable', 'OVERLOADED', 'The service is busy. Please try again shortly.', {
    retryAfterSeconds: 2,
  });
}

export function linkInvalid(): AppError {
  return new AppError('refused', 'LINK_INVALID', 'This link was used already or is too old. Please ask for a new one.');
}

export function secondFactorInvalid(): AppError {
  return new AppError(
    'refused',
    'SECOND_FACTOR_INVALID',
    'The code is wrong or was used already. Wait for the next one, or use a recovery code.',
    { errors: [{ field: 'code', message: 'is wrong or was used already' }] },
  );
}

export function secondFactorOn(): AppError {
  return new AppError('conflict', 'SECOND_FACTOR_ON', 'The second factor is on already. Turn it off first.');
}

export function secondFactorOff(): AppError {
  return new AppError('conflict', 'SECOND_FACTOR_OFF', 'The second factor is not on.');
}

export function sessionNotFound(): AppError {
  return new AppError('not_found', 'SESSION_NOT_FOUND', 'There is no session with this id.');
}

export function personNotFound(): AppError {
  return new AppError('not_found', 'PERSON_NOT_FOUND', 'There is no such person among yours.');
}

/** At the operator's terminal. */
export function addressUnknown(): AppError {
  return new AppError('not_found', 'PERSON_NOT_FOUND', 'Nobody who may sign in there has this e-mail address.');
}

/** A person who is to leave, or to have another role, is needed for approvals. */
export function approversMissing(needed: number, left: number): AppError {
  const there =
    left === 1 ? 'only one would be left' : left === 0 ? 'nobody would be left' : `only ${left} would be left`;
  return new AppError(
    'refused',
    'APPROVERS_MISSING',
    `The approval rules need ${needed} people who can decide, and ${there}. ` +
      'Make somebody else an approver first, or change the approval rules.',
  );
}

export function memberExists(): AppError {
  const field: FieldError = { field: 'email', message: 'belongs to one of your people already' };
  return new AppError('conflict', 'MEMBER_EXISTS', 'This person is one of yours already.', { errors: [field] });
}

export function lastOwner(): AppError {
  return new AppError('refused', 'LAST_OWNER', 'A business needs an owner: make somebody else an owner first.');
}

export function lastOperator(): AppError {
  return new AppError('refused', 'LAST_OPERATOR', 'You cannot remove yourself. Ask a colleague to do it.');
}

export function notYourself(): AppError {
  return new AppError('refused', 'NOT_YOURSELF', 'Nobody changes their own role. Ask another owner or administrator.');
}

export function ownersOnly(): AppError {
  return new AppError('forbidden', 'OWNERS_ONLY', 'Only an owner may make, change or remove an owner.');
}

export function notInvited(): AppError {
  return new AppError(
    'conflict',
    'NOT_INVITED',
    'This person has joined already, so there is no invitation to send again.',
  );
}

export function mailNotFound(): AppError {
  return new AppError('not_found', 'MAIL_NOT_FOUND', 'There is no mail with this id.');
}

export function changeNotFound(): AppError {
  return new AppError('not_found', 'PEOPLE_CHANGE_NOT_FOUND', 'Nothing about your people waits under this id.');
}

export function changeClosed(): AppError {
  return new AppError(
    'conflict',
    'PEOPLE_CHANGE_CLOSED',
    'This waits no longer: it was decided, replaced or has run out. Nothing was done.',
  );
}

/** The person who requested the change has left, or its subject has changed. */
export function changeOvertaken(): AppError {
  return new AppError(
    'conflict',
    'PEOPLE_CHANGE_OVERTAKEN',
    'What this was asked for has changed since, so it cannot be done as it was shown. Reject it, and ask for it anew.',
  );
}

/** For a change of people; approvals of money have their own sentence. */
export function secondPersonForPeople(): AppError {
  return new AppError(
    'forbidden',
    'SECOND_PERSON_NEEDED',
    'You asked for this, or it is about you: another person who decides about approvals has to agree.',
  );
}

export function agreedAlready(): AppError {
  return new AppError('conflict', 'ALREADY_DECIDED', 'You have agreed to this already. Each person counts once.');
}

/** @param until when the two may decide about each other's work. */
export function secondPersonTooNew(until: Date): AppError {
  return new AppError(
    'forbidden',
    'SECOND_PERSON_TOO_NEW',
    `One of you two brought the other in, less than 24 hours ago. Until ${lagosClock(until)} Lagos time somebody else has to decide.`,
  );
}

export function invitationNotApproved(): AppError {
  return new AppError(
    'conflict',
    'INVITATION_NOT_APPROVED',
    'Two people have to be behind this invitation by now. The person who sent it has to invite you again, and a second person to agree.',
  );
}

/** Where the operator has only one person. */
export function secondOperatorMissing(): AppError {
  return new AppError(
    'refused',
    'SECOND_OPERATOR_MISSING',
    'You are the only one of the staff, so nobody could agree to this. The second one is made at the terminal: `npm run admin -- create-operator`.',
  );
}
