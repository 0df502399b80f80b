import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { openPoints, sentences } from './sentences.ts';

const { requirements, questions } = catalogue;

describe('the sentences of the interface', () => {
  it.each(sentences)('$section: $text', ({ text, tested, asked, reason }) => {
    expect(requirements.map(({ id }) => id)).toEqual(expect.arrayContaining([...tested]));
    expect(questions.map(({ id }) => id)).toEqual(expect.arrayContaining([...asked]));
    // Tested, asked about, or neither for a reason.
    expect(reason === undefined).toBe(tested.length + asked.length > 0);
    expect(text.includes('not shown') && asked.length === 0).toBe(false);
  });

  it('are where each requirement was read', () => {
    for (const { id, level, section, sentence } of requirements.filter(({ level }) => level !== 'should')) {
      const own = sentences.filter((each) => each.section === section && each.text.includes(sentence!));
      expect(
        own.flatMap(({ tested }) => tested),
        `${level} ${id}: ${sentence}`,
      ).toContain(id);
    }
  });

  it('need every requirement and every question', () => {
    const used = new Set(sentences.flatMap(({ tested, asked }) => [...tested, ...asked]));
    expect([...requirements, ...questions].filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it('leave open each point that is not shown', () => {
    expect(openPoints).toHaveLength(15);
    expect(openPoints).toContainEqual(['9', expect.stringMatching(/^Version scheme .+ selection\)$/)]);
  });
});
