import { describe, expect, inject, it } from 'vitest';
import { OF_VIEW, browserForTests, openAll, overflowOf, violationsOn } from './open.ts';
import { hostile } from './runs.ts';
import type { PageName } from './runs.ts';

const pages = inject('pages');
const open = browserForTests();

/** The title of a page, and the sentence below its heading. */
const beginnings: Partial<Record<PageName, readonly [title: RegExp, sentence: RegExp]>> = {
  'many failures': [
    /Does not conform: .+, \d{4}-\d\d-\d\d$/,
    /^\d+ of 23 requirements of the interface fail\.$/,
  ],
  'no failure': [/^Conforms: /, /^All 23 requirements of the interface pass\.$/],
  'nothing there': [/^Inconclusive: /, /no verdict: .* connection refused/],
};

describe.each(Object.keys(pages) as PageName[])('the page with %s', (name) => {
  const path = pages[name];

  // One page for all: to open a long one takes Chromium seconds.
  it('begins with its verdict, is quiet, fits, and passes axe-core, on a desk in light and on a phone in dark', async () => {
    const { page, printed, asked } = await open(path);
    const [title, sentence] = beginnings[name] ?? [/./, /./];
    expect.soft(await page.title()).toMatch(title);
    expect.soft(await page.locator('h1 + *').innerText()).toMatch(sentence);
    const setView = async (width: number, height: number, colorScheme: 'light' | 'dark'): Promise<void> => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      expect.soft(await overflowOf(page)).toBe(0);
    };
    await setView(1280, 720, 'light');
    await setView(360, 740, 'dark');
    await openAll(page);
    expect.soft(await overflowOf(page)).toBe(0);
    expect.soft(await violationsOn(page, OF_VIEW)).toEqual([]);
    await setView(1280, 720, 'light');
    expect.soft(await violationsOn(page)).toEqual([]);
    expect.soft(printed).toEqual([]);
    expect.soft(asked).toEqual([page.url()]);
  });
});

describe('the colours', () => {
  it('are others in the dark', async () => {
    const { page } = await open(pages['nothing there']);
    const colours = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      colours.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
    }
    expect(colours.size).toBe(2);
  });
});

describe('hostile texts', () => {
  it('stand there as text, with nothing hidden in them, and do nothing', async () => {
    const { page } = await open(`${pages['hostile texts']}#customer.name.echoed`);
    await openAll(page);
    const shown = await page.locator('[id="customer.name.echoed"] .value ins').first().innerText();
    expect(shown).toContain(hostile.split('\n')[0]);
    expect(shown).toContain('RLO');
    expect(await page.locator('main').innerText()).not.toMatch(/[\u202A-\u202E\u200B\uFEFF]/);
    expect(await page.evaluate<unknown>('globalThis.hit')).toBeUndefined();
    expect(await page.locator('img, main script, main style').count()).toBe(0);
  });
});

describe('a declared answer that has drifted', () => {
  it('is a failure, and marked in the table of the open questions', async () => {
    const { page } = await open(`${pages['a profile and drift']}#customer.create.status`);
    const failure = page.locator('[id="customer.create.status"]');
    expect(await failure.innerText()).toMatch(/Declared[\s\S]*201[\s\S]*Observed[\s\S]*200/);
    expect(await failure.locator('.command').first().isVisible()).toBe(true);
    const row = page.locator('[id="customer.create.status.answer"]');
    expect(await row.innerText()).toMatch(/200[\s\S]*201[\s\S]*fail[\s\S]*Drift/);
    expect(await page.locator('[id="auth.rejection.status"]').innerText()).toMatch(/\[|403/);
    expect(await page.locator('[id="token.response.credential"]').innerText()).toContain('waived');
  });
});
