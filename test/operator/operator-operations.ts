import { Ajv } from 'ajv';
import type { App } from '../../src/app.ts';
import { allOperationsOf, type Operation } from '../support/operations.ts';
import type { TestPerson } from '../support/people.ts';

/** Every operation that only people have, of the operator's pages or of a merchant's, as the app documents it. */
export function pageOperations(app: App, tag: 'Operator' | 'Dashboard'): Operation[] {
  return allOperationsOf(app).filter(({ tags }) => tags.some((each) => each.startsWith(tag)));
}

/** The same person, who looks at every JSON answer whether it is what the document says of it, refusals included. */
export function checked(app: App, person: TestPerson): TestPerson {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const operations = [...pageOperations(app, 'Operator'), ...pageOperations(app, 'Dashboard')].map((operation) => ({
    ...operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return {
    ...person,
    async call(method, path, body, headers) {
      const reply = await person.call(method, path, body, headers);
      const [plain = ''] = path.split('?');
      // A path of words alone goes before one with a placeholder.
      const [operation] = operations
        .filter((each) => each.method === method && each.pattern.test(plain))
        .sort((a, b) => a.parameters.length - b.parameters.length);
      const answers = operation?.responses;
      const schema = (answers?.[reply.status] ?? answers?.[`${String(reply.status)[0]}XX`])?.content?.[
        'application/json'
      ]?.schema;
      if (schema === undefined) return reply;
      const validate = ajv.compile(schema);
      if (validate(reply.body)) return reply;
      const wrong = (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
      throw new Error(`${method} ${path} answered ${reply.status}, not as documented: ${wrong.join('; ')}`);
    },
  };
}
