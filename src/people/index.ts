export { authenticateOperator, type Operator, requireOperator } from './authenticate-operator.ts';
export { createPerson, type NewPerson } from './create-person.ts';
export type { NewBusiness, PeopleDeps, PeopleRoutesDeps } from './deps.ts';
export { memberRoutes, operatorPeopleRoutes } from './members/routes.ts';
export { merchantOfEmail, requireMemberByEmail } from './person-by-email.ts';
export { peopleRoutes } from './routes.ts';
export { resetSecondFactor } from './second-factor/reset-second-factor.ts';
export { createSessionGate, type SessionGate } from './sessions/session-gate.ts';
export { sweepPeople } from './sweep-people.ts';
