import fc from 'fast-check';
import { isAccepted } from '../../lib/engine/observation.ts';
import { customerScenario } from '../../lib/engine/operations/customer.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { firstCustomer } from '../../lib/engine/readiness/first-contact.ts';
import type { CaseSource } from '../../lib/engine/scenario.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { usualStyle } from '../../lib/inputs/json-styles.ts';
import type { JsonStyle } from '../../lib/inputs/json-styles.ts';
import { WIDE_LENGTH, longAscii, longName } from '../../lib/inputs/names.ts';
import { customerCase, wideCustomers } from './wide-customers.ts';

/**
 * Bytes of the bodies to try in turn, until one is accepted, or never answered: beyond all limits of 16 bits but below
 * the usual limit of bodies, 100 kB, then beyond the usual sizes of buffers and columns.
 */
const SIZES = [96, 48, 20, 9, 4.5].map((kibibytes) => kibibytes * 1024);

/** At least as many bytes as a body has besides its name. */
const OTHER_MEMBERS_BYTES = 100;

/** ASCII letters that make a name longer than 16 bits can count, in characters too. */
const MANY_LETTERS = 66_000;

/**
 * Names of up to 96 KiB: the first size that is accepted, then two more of this size, in chunks and with content codings.
 * The length of one of these bodies, and of one response, is a multiple of 4 KiB.
 */
export const largeCustomers = customerScenario({
  name: 'large customers',
  uses: [firstCustomer, wideCustomers],
  *cases({ target }, observed) {
    const isAsciiOnly = hasRejectedAll(observed(wideCustomers), WIDE_LENGTH);
    const text = isAsciiOnly ? longAscii : longName;
    for (const size of sizesToTry(observed(wideCustomers))) {
      const [first] = yield [large('large', text(size - OTHER_MEMBERS_BYTES))];
      // Each other one that is too long would hang as well. One that is reset may be too long for a gateway alone.
      if (first === undefined && target.lastTrouble?.kind === 'timeout') return;
      if (!first?.accepted) continue;
      yield furtherOf(size, first, isAsciiOnly, observed(firstCustomer)[0] ?? first);
      return;
    }
  },
});

const large = (
  category: string,
  name: fc.Arbitrary<string>,
  style: Partial<JsonStyle> = {},
): CaseSource<CustomerInput> => customerCase(category, { name, style: { ...usualStyle, ...style } });

/** Sizes below the shortest name that was rejected for its length, as far as that is known. */
function sizesToTry(wide: readonly CustomerObservation[]): readonly number[] {
  const bytesOf = (isAccepted: boolean): number[] =>
    wide
      .filter(({ accepted, case: { category } }) => accepted === isAccepted && LENGTH_CATEGORY.test(category))
      .map(({ submitted: { name } }) => Buffer.byteLength(name));
  const longest = Math.max(0, ...bytesOf(true));
  const shortest = Math.min(Infinity, ...bytesOf(false).filter((bytes) => bytes > longest));
  return SIZES.filter((size) => size < shortest);
}

const LENGTH_CATEGORY = /^(?:wide )?length\b/;

const hasRejectedAll = (wide: readonly CustomerObservation[], category: string): boolean => {
  const ofCategory = wide.filter((observation) => observation.case.category === category);
  return ofCategory.length > 0 && !ofCategory.some(isAccepted);
};

/**
 * Two more names: the accepted one moved by a character, and one with the same beginning.
 * @param short a customer with a short name, which shows the size of the rest of a response
 */
function furtherOf(
  size: number,
  first: CustomerObservation,
  isAsciiOnly: boolean,
  short: CustomerObservation,
): CaseSource<CustomerInput>[] {
  const { name } = first.submitted;
  const besides = first.exchange.request.body!.length - Buffer.byteLength(name);
  const { name: shortName, email: shortEmail } = short.submitted;
  const inReply =
    Buffer.byteLength(short.exchange.reply.text) -
    Buffer.byteLength(shortName + shortEmail) +
    Buffer.byteLength(first.submitted.email);
  const moved = isAsciiOnly ? 'b' : 'é';
  const same = beginning(name, size / 6);
  const rest = size - inReply - Buffer.byteLength(same);
  const letters = Math.min(MANY_LETTERS, isAsciiOnly ? rest : Math.floor(rest * 0.8));
  return [
    large('large, in chunks', fc.constant(fitted(moved + name, size - besides)), {
      chunked: true,
      codings: 'gzip',
    }),
    large(
      'large, same beginning',
      fc
        .tuple(longAscii(letters), isAsciiOnly ? longAscii(rest - letters) : longName(rest - letters))
        .map(([ascii, end]) => same + ascii + end),
      { codings: 'br' },
    ),
  ];
}

/** A name that is cut, or continued with letters, to a number of bytes. */
function fitted(name: string, bytes: number): string {
  const cut = beginning(name, bytes);
  return cut + 'z'.repeat(bytes - Buffer.byteLength(cut));
}

/** The characters of a text that are whole within a number of bytes. */
const beginning = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
