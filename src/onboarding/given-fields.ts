import { bvnColumns, internationalNumber } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import { invalidField } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { BasicDetails, BusinessDetails, DirectorDetails } from './schemas.ts';
import type { Changes } from './steps.ts';

/** A director of a company has to be of age. */
const MIN_AGE_YEARS = 18;
const MAX_AGE_YEARS = 120;

export function basicChanges(body: BasicDetails): Changes {
  return {
    merchant: present({
      business_name: body.businessName?.trim(),
      business_type: body.businessType,
      business_category: body.businessCategory?.trim(),
      email: body.email?.trim().toLowerCase(),
      phone_number: body.phoneNumber === undefined ? undefined : internationalNumber(body.phoneNumber),
    }),
    details: {},
  };
}

export function businessChanges(body: BusinessDetails): Changes {
  return {
    merchant: present({
      registration_number:
        body.registrationNumber === undefined ? undefined : registrationNumber(body.registrationNumber),
      address: body.address?.trim(),
      city: body.city?.trim(),
      state: body.state?.trim(),
      country: body.country?.trim(),
      postal_code: body.postalCode?.trim(),
    }),
    details: {},
  };
}

/** As it is written most: `RC: 1234567` is `RC1234567`, and the `CAC/IT/NO 12345` of older certificates `IT12345`. */
function registrationNumber(given: string): string {
  return given
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replace(/^CAC(?=[A-Z])/, '')
    .replace(/^([A-Z]{2,3})NO(?=\d)/, '$1');
}

/** The BVN is sealed here, before anything keeps it. The empty text leaves the one that was given before. */
export function directorChanges(
  deps: { secrets: Secrets; clock: Clock },
  merchantId: string,
  body: DirectorDetails,
): Changes {
  const { bvn, directorDateOfBirth: born } = body;
  if (born !== undefined && born !== '') checkAge(born, deps.clock.now());
  const sealed = bvn === undefined || bvn === '' ? {} : bvnColumns(deps.secrets, merchantId, bvn);
  return {
    merchant: { ...present({ director_date_of_birth: born }), ...sealed },
    details: present({
      directorFirstName: body.directorFirstName?.trim(),
      directorLastName: body.directorLastName?.trim(),
    }),
  };
}

/** JavaScript reads 30 February as 2 March. */
function checkAge(born: string, now: Date): void {
  const day = new Date(`${born}T00:00:00Z`);
  if (day.toJSON()?.slice(0, 10) !== born) throw invalidField('directorDateOfBirth', 'must be a date, YYYY-MM-DD');
  const birthday = (years: number) => {
    const at = new Date(day);
    at.setUTCFullYear(at.getUTCFullYear() + years);
    return at;
  };
  if (birthday(MIN_AGE_YEARS) > now)
    throw invalidField('directorDateOfBirth', `must be of somebody who is ${MIN_AGE_YEARS} or older`);
  if (birthday(MAX_AGE_YEARS) < now) throw invalidField('directorDateOfBirth', 'must be of somebody who is alive');
}

/** Without what was left out. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
