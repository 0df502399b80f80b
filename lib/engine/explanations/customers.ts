import type { Explanation } from '../explanation.ts';

export const customers = {
  'customer.plain.accepted': {
    why: 'A valid request with valid credentials is answered with a customer. What else makes a request valid is not shown, but two short ASCII words and a simple address are so by any rule.',
    tested:
      'Plain customers are created at the start, at the same instant as others, among other traffic, and at the end of the run. Each must be accepted: a 2xx that carries the customer. What was refused once is sent again just the same, and must be refused again.',
    failure:
      'Of sixteen requests at once some are answered with 500; a name is refused and, sent again, accepted.',
  },
  'customer.body.object': {
    why: 'The body of the response is shown as a JSON object with three members.',
    tested:
      'Every response that grants a customer, to plain, wide, simultaneous, repeated and encoded requests.',
    failure: 'The customer comes within a list, as `[{"id": …}]`, or as two objects in a row.',
  },
  'customer.id.form': {
    why: 'An id is a string: the prefix `cus_`, then an identifier.',
    tested: 'The id in every response that grants a customer. Any text without white space is an identifier.',
    failure: 'An id is a number, has the prefix `cust_`, or is `cus_` and nothing more.',
  },
  'customer.id.new': {
    why: 'A valid request is answered with a new id: it is assigned by the service, and belongs to one customer.',
    tested:
      'All ids of the run are held against each other: of plain and wide customers, of customers created at the same instant, and of the same body sent several times at once. Where ids are short, more customers are created until two would have to be the same.',
    failure:
      'Two requests that arrive together get one id; ids are made of the second, the name or a small counter; a repeated body gets the former id.',
  },
  'customer.name.echoed': {
    why: 'The response carries the name that was submitted, and it is equal to it.',
    tested:
      'The name in every response that grants a customer, to the code point: letters of all planes, accents in both forms, controls, white space, markup, quotes, words such as null, number-like texts, and lengths up to thousands. What is refused is not judged.',
    failure:
      "`O'Brien` comes back as `O&#39;Brien`, ` Ada` without its space, `İ` in lower case, a long name cut at 255.",
  },
  'customer.email.echoed': {
    why: 'The response carries the email that was submitted, and it is equal to it.',
    tested:
      'The email in every response that grants a customer, to the code point: capitals, tags, quoted and international local parts, many labels, long ones, white space around, texts that are no address. All are under reserved domains. What is refused is not judged.',
    failure: '`Ada@Example.COM` comes back in lower case, `ada+news@example.com` without its tag.',
  },
  'customer.reply.own': {
    why: 'The response carries the submitted name and email: those of its own request.',
    tested:
      'The name and the email of every response are looked for among all that the run has submitted, above all in requests that are complete at the service at the same instant.',
    failure:
      'A handler keeps its request in a shared variable: of two at once, one gets the name of the other.',
  },
  'customer.encoding.irrelevant': {
    why: 'The request body is a JSON object. Order of members, white space and escapes do not change a JSON object (RFC 8259), so they may not change the outcome.',
    tested:
      'Plain and delicate customers in other encodings: members reversed, white space of each kind, escapes for some or all characters, surrogate pairs, digits in capitals. A refusal is held against the same customer in its usual encoding.',
    failure:
      'A body that begins with a line break is answered with 400; `\\u00eb` is refused where `ë` is taken.',
  },
} as const satisfies Record<`customer.${string}`, Explanation>;
