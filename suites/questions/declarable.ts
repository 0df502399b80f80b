import { unitNames } from '../../lib/engine/operations/presentation.ts';
import { paths } from '../../lib/engine/operations/request.ts';
import type { Declarable } from '../../lib/engine/question.ts';
import { isObject } from '../../lib/schemas/json.ts';
import type { Json } from '../../lib/schemas/json.ts';
import { presentationsIn } from '../../lib/schemas/profile.ts';

/** A status, or several, or one for each of several kinds. */
export const statusForm: Declarable = {
  expected: 'a status, such as 201, as a number, not as text',
  allows: (declared) => !hasNumberInQuotes(declared),
};

/** Whether a value is a number in quotes, or contains one. */
const hasNumberInQuotes = (declared: Json): boolean =>
  typeof declared === 'object' && declared !== null
    ? !isSchema(declared) && Object.values(declared).some((one) => hasNumberInQuotes(one))
    : typeof declared === 'string' && /^\d+$/.test(declared);

export const lengthForm: Declarable = {
  expected: 'a number, or a range {"min": …, "max": …}',
  allows: (declared) =>
    Array.isArray(declared)
      ? declared.every((one) => lengthForm.allows(one as Json))
      : !isObject(declared) || isSchema(declared) || 'min' in declared || 'max' in declared,
};

export const unitForm: Declarable = {
  expected: `one of ${unitNames.join(', ')}`,
  allows: (declared) => typeof declared === 'string' && unitNames.includes(declared),
};

export const secondsForm: Declarable = {
  expected: 'a number of seconds from 0',
  allows: (declared) => typeof declared === 'number' && declared >= 0,
};

export const presentationForm: Declarable = {
  expected:
    '"bearer", {"header": "X-Access-Token"} with the name of a header that carries nothing else, "not accepted", or a list of these',
  allows: (declared) =>
    [declared]
      .flat()
      .every((one) => one === 'not accepted' || isSchema(one) || presentationsIn(one).length === 1),
};

const OPERATIONS: readonly string[] = Object.values(paths).map((path) => `POST ${path}`);

const isOperation = (value: unknown): boolean => typeof value === 'string' && OPERATIONS.includes(value);

export const operationsForm: Declarable = {
  expected: `for each scope a list of operations, such as {"customers:write": ["${OPERATIONS[0]}"], "customers:read": []}; those are ${OPERATIONS.join(' and ')}`,
  allows: (declared) =>
    [declared].flat().every((one) => {
      if (!isObject(one)) return isOperation(one);
      return (
        isSchema(one) ||
        Object.values(one).every(
          (allowed) => isObject(allowed) || (Array.isArray(allowed) && allowed.flat().every(isOperation)),
        )
      );
    }),
};

/** Whether a declared value is a JSON Schema. */
const isSchema = (value: unknown): boolean => isObject(value) && 'schema' in value;
