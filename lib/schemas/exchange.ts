import { z } from 'zod';

/** A read-only JSON array. */
export const list = <T>(item: z.ZodType<T>): z.ZodType<readonly T[]> => z.array(item);

/** The versions of HTTP that the client speaks. */
export const httpVersion = z.enum(['1.1', '2']);
export type HttpVersion = z.infer<typeof httpVersion>;

const header: z.ZodType<readonly [name: string, value: string]> = z.tuple([z.string(), z.string()]);

const trouble = z.object({
  kind: z.enum(['refused', 'reset', 'timeout', 'protocol', 'oversized', 'misread', 'throttled', 'proxy']),
  detail: z.string(),
  code: z.string().exactOptional().describe('of the underlying error, such as ENOTFOUND'),
  begun: z.int().exactOptional().describe('status of a response of which only a part had arrived'),
  wait: z.number().exactOptional().describe('milliseconds that this request waited before the next attempt'),
});

/** Failed attempts to send a request, in order. */
export const troubles = list(trouble);

/** The members of an exchange as evidence and reports hold it: redacted, bounded, plain JSON. */
export const exchangeMembers = {
  number: z.int().min(1).describe('counts from 1 over the run, in the order of completion'),
  queue: z
    .string()
    .describe(
      'why it was sent: the name of a scenario, `open questions`, or `limit`, which looks for a limit of the target; `alone`: a failure once more, with nothing else in flight',
    ),
  request: z.object({
    method: z.string(),
    url: z.string().describe('as sent, not normalised'),
    requestTarget: z
      .string()
      .exactOptional()
      .describe('the request target, where it is in absolute form (RFC 9112, section 3.2.2)'),
    headers: list(header).describe(
      'name and value, in the order sent; without the usual Host, Content-Length, and Connection: keep-alive',
    ),
    body: z.string().describe('as text, "" where there was none; truncated after 32768 characters'),
  }),
  response: z.object({
    status: z.int(),
    headers: z.record(z.string(), z.string()).describe('by name, in lower case'),
    body: z.string().describe('as text; truncated after 32768 characters'),
  }),
  troubles: troubles.describe('failed earlier attempts of the same request'),
  startedAt: z.number().describe('milliseconds from the start of the clock until the request was sent'),
  firstByte: z.number().describe('milliseconds from sending until the status and headers had arrived'),
  duration: z.number().describe('milliseconds from sending until the response was complete'),
  inFlight: z.int().describe('requests in flight when it was answered, itself included'),
};

/** A request and its complete response, as evidence and reports hold it. */
export const recordedExchange = z
  .object(exchangeMembers)
  .meta({ id: 'exchange', description: 'One request and its complete response, without secrets.' });

export type Trouble = Readonly<z.infer<typeof trouble>>;
export type RecordedExchange = Readonly<z.infer<typeof recordedExchange>>;
