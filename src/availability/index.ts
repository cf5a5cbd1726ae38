export {
  createAvailability,
  type FindAvailability,
  listAvailability,
  type NewAvailability,
  setAvailability,
} from './availability.ts';
export {
  AVAILABILITIES,
  type Availability,
  type AvailabilityRule,
  availabilityDigest,
  type PaymentTerms,
  ruleInForce,
  type TermsRule,
} from './queries.ts';
