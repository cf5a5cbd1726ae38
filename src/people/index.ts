export { authenticateOperator, type Operator, requireOperator } from './authenticate-operator.ts';
export { listTooNear, requireApart, type TooNear } from './changes/apart.ts';
export { createPerson, type NewPerson } from './create-person.ts';
export type { NewBusiness, PeopleDeps, PeopleRoutesDeps } from './deps.ts';
export { secondPersonTooNew } from './errors.ts';
export { addOperator } from './members/add-operator.ts';
export { operatorPeopleRoutes } from './members/operator-routes.ts';
export { memberRoutes } from './members/routes.ts';
export { createOutboxGate, type OutboxGate } from './outbox/outbox-gate.ts';
export { peopleOfRoles } from './people-of-roles.ts';
export { merchantOfEmail, requireMemberByEmail } from './person-by-email.ts';
export { peopleRoutes } from './routes.ts';
export {
  countRecoveryPeppers,
  forgetRecoveryCodesUnder,
  hashRecoveryCodesOver,
} from './second-factor/recovery-peppers.ts';
export { resetSecondFactor } from './second-factor/reset-second-factor.ts';
export { createSessionGate, type SessionGate } from './sessions/session-gate.ts';
export { sweepPeople } from './sweep-people.ts';
