import { z } from 'zod';

const trouble = z.object({
  kind: z.enum(['refused', 'reset', 'timeout', 'protocol', 'misread', 'throttled']),
  detail: z.string(),
  code: z.string().optional().describe('of the error beneath it, such as ENOTFOUND'),
  wait: z.number().optional().describe('milliseconds that this request alone waited before the next try'),
});

/** What kept requests from being answered: the type `Trouble`. */
export const troublesSchema = z.array(trouble);

/** The members of an exchange, as evidence and reports have it: the type `RecordedExchange`. */
export const exchangeMembers = {
  number: z.int().min(1).describe('counts from 1 over the run, in the order of completion'),
  queue: z.string().describe('what it was sent for: the name of an experiment, or `open questions`'),
  request: z.object({
    method: z.string(),
    url: z.string().describe('as it was sent, not normalised'),
    headers: z
      .array(z.tuple([z.string(), z.string()]))
      .describe('name and value, in the order sent; Host, Content-Length and Connection are left out'),
    body: z.string().describe('as text, "" where there was none; cut after 32768 characters'),
  }),
  response: z.object({
    status: z.int(),
    headers: z.record(z.string(), z.string()).describe('by name, in lower case'),
    body: z.string().describe('as text; cut after 32768 characters'),
  }),
  troubles: troublesSchema.describe('what happened on earlier tries of the same request'),
  startedAt: z
    .number()
    .describe('milliseconds from the moment that the run could send until the request was sent'),
  firstByte: z
    .number()
    .describe('milliseconds from sending until status and fields of the response were there'),
  duration: z.number().describe('milliseconds from sending until the response was complete'),
  inFlight: z.int().describe('requests in flight when it was answered, itself included'),
};
