import { invalidField } from '../platform/errors.ts';
import { isVisible } from '../platform/text.ts';

/** What SMTP carries at most. */
export const MAX_EMAIL_LENGTH = 254;
const EMAIL = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\]+$/;

/** As it is kept and compared: case and outer spaces do not count. @throws AppError 400 for what is no address. */
export function emailOf(text: string): string {
  const email = normalEmail(text);
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email) || !isVisible(email)) {
    throw invalidField('email', 'must be an e-mail address');
  }
  return email;
}

export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}
