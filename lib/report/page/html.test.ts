import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNSAFE } from '../../target/output/printable.ts';
import { characterNames } from '../../target/output/character-names.ts';
import { legend, visible } from './html.ts';

describe('text from the target', () => {
  it('is visible and escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const markup = visible(text).toString();
        expect(markup.match(UNSAFE)).toBeNull();
        expect(markup.replace(/<abbr class="invisible" title="[^"<>]*">[^<>]*<\/abbr>/g, '')).not.toMatch(
          /[<>"']/,
        );
      }),
    );
  });

  it('keeps the lines of a document', () => {
    expect(visible('a\r\nb\u0000', 'lines').toString()).toBe(
      'a\nb<abbr class="invisible" title="U+0000 null">NUL</abbr>',
    );
    expect(visible('a\nb').toString()).toContain('LF');
  });

  it('replaces stacks of combining marks', () => {
    expect(visible('é e\u0301').toString()).toBe('é e\u0301');
    expect(visible(`e${'\u0300'.repeat(40)}`).toString()).toBe(
      'e<abbr class="invisible" title="U+0300">40 marks</abbr>',
    );
  });

  it('is cut between code points, with the number of those that follow', () => {
    expect(visible('😀'.repeat(2100)).toString()).toBe(
      `${'😀'.repeat(2000)}<span class="cut">… 100 more code points</span>`,
    );
  });

  it('has a legend only if a character is invisible', () => {
    expect(legend(['Ada', 'Zoë'])).toBeUndefined();
    expect(legend(['a\n'])).toBeUndefined();
    expect(
      legend(['\u202E', 'a\u202E\u200B'])!
        .toString()
        .match(/right-to-left override/g),
    ).toHaveLength(2);
  });
});

describe('the name of a character', () => {
  it.each([
    ['\u0000', 'NUL', 'U+0000 null'],
    ['\u001F', 'US', 'U+001F unit separator'],
    ['\u0080', 'U+0080', 'U+0080 control'],
    ['\u00A0', 'NBSP', 'U+00A0 no-break space'],
    ['\uFE0F', 'VS16', 'U+FE0F variation selector-16'],
    ['\u{E0100}', 'VS17', 'U+E0100 variation selector-17'],
    ['\u{E0041}', 'U+E0041', 'U+E0041 tag character for A'],
    ['\uE000', 'U+E000', 'U+E000 private use'],
    ['\uD800', 'U+D800', 'U+D800 lone surrogate'],
    ['\u0378', 'U+0378', 'U+0378 unassigned'],
  ])('%j is %s, %s', (character, short, full) => {
    expect(characterNames(character)).toEqual([short, full]);
  });
});
