export { AVAILABILITIES, type Availability, type AvailabilityRule } from './availability-rule.ts';
export { availabilityDigest } from './queries.ts';
export { createAvailability, type FindAvailability, listAvailability } from './read-availability.ts';
export { type NewAvailability, setAvailability } from './set-availability.ts';
