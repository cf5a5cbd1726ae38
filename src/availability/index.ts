export {
  createAvailability,
  type FindAvailability,
  listAvailability,
  setAvailability,
} from './availability.ts';
export {
  AVAILABILITIES,
  type Availability,
  type AvailabilityRule,
  availabilityDigest,
  type PaymentTerms,
  ruleInForce,
} from './queries.ts';
