import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { reportPage } from '../../report/page/page.ts';
import { readReport } from '../../report/read.ts';
import { sampleCounterexample, sampleExchange } from '../../report/sample.testing.ts';
import { browserForTests } from './open.ts';
import { fileWith } from '../../selftest/files.ts';

const path = inject('pages')['many failures'];
const open = browserForTests();
const ID = 'customer.name.echoed';
const body = `[id="${ID}"]`;

/** Presses Tab until what has the focus matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`${selector} is not reached with the keyboard`);
}

// A page is opened as seldom as can be: with hundreds of exchanges, that takes Chromium seconds.
describe('filters, by keyboard', () => {
  it('find words in requirements, ids and sections, show only what is asked for, and say how much that is', async () => {
    const { page } = await open(path);
    await tabTo(page, '#find');
    await page.keyboard.type('name.echoed');
    expect(await page.locator('.entry:visible').count()).toBe(1);
    await page.locator('#find').fill('section 9');
    expect(await page.locator('.entry:visible').count()).toBe(2);
    await page.locator('#find').fill('');

    await tabTo(page, '[data-show="fail"]');
    await page.keyboard.press('Space');
    const failures = await page.locator('.entry[data-kind~="fail"]').count();
    expect(failures).toBeGreaterThan(5);
    expect(await page.locator('.entry:visible').count()).toBe(failures);
    expect(new URL(page.url()).search).toBe('?show=fail');
    expect(await page.locator('#shown').innerText()).toMatch(new RegExp(`^${failures} of \\d+ shown$`));
    expect(await page.locator('#section-1').isVisible()).toBe(false);
    expect(await page.locator('.sentences:visible').count()).toBe(0);

    await page.keyboard.press('Space');
    expect(await page.locator('#section-1').isVisible()).toBe(true);
  });

  it('are in the address, say so if nothing matches, and end when a link leads to what they hide', async () => {
    const { page } = await open(path);
    const all = await page.locator('.entry').count();
    await page.goto(`${page.url()}?show=fail&find=nothing-has-this`);
    expect(await page.locator('.entry:visible').count()).toBe(0);
    expect(await page.locator('#nothing').innerText()).toContain('Nothing matches.');
    await page.locator('#reset').click();
    expect(await page.locator('.entry:not([hidden])').count()).toBe(all);

    await page.locator('#find').fill('nothing has this in it');
    await page.evaluate(`location.hash = '${ID}'`);
    await page.locator(body).waitFor({ state: 'visible' });
    expect(await page.locator('#find').inputValue()).toBe('');
  });
});

describe('keys', () => {
  it('lead to the search, to each failure, and close only what is open', async () => {
    const { page } = await open(path);
    const opened = page.locator('.entries details[open]');
    await page.keyboard.press('e');
    await page.keyboard.press('e');
    expect(await opened.count()).toBe(2);
    await page.keyboard.press('Escape');
    expect(await opened.count()).toBe(1);
    await page.keyboard.press('j');
    expect(await page.evaluate<boolean>(`document.activeElement.matches('.entry > details > summary')`)).toBe(
      true,
    );
    await page.keyboard.press('/');
    await page.keyboard.type('je/');
    expect(await page.locator('#find').inputValue()).toBe('je/');
  });
});

describe('the exchanges', () => {
  it('are found by a text in their bodies, and linked with what they fail', async () => {
    const { page } = await open(`${path}#${ID}`);
    await page.locator(`${body} .cases > summary`).click();
    await page.locator(`${body} .cases a`).first().click();
    const exchange = page.locator('.log > li:has(> details[open])');
    expect(await exchange.innerText()).toMatch(/Fails[\s\S]*customer\.name\.echoed[\s\S]*POST/);
    await exchange.locator(`a[href="#${ID}"]`).click();
    expect(page.url()).toMatch(new RegExp(`#${ID}$`));
    await page.locator('#find-exchange').fill('customers:read');
    expect(await page.locator('#found-exchanges').innerText()).toMatch(/^\d+ of \d+ exchanges$/);
    expect(await page.locator('.log > li:visible').count()).toBeLessThan(
      await page.locator('.log > li').count(),
    );
  });
});

describe('links', () => {
  it('skip to the requirements first', async () => {
    const { page } = await open(path);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('requirements');
  });

  it.each([true, false])('from elsewhere open a failure too (script: %s)', async (javaScriptEnabled) => {
    const { page } = await open(`${path}#${ID}`, { javaScriptEnabled });
    await page.locator(body).waitFor({ state: 'visible' });
    const box = await page.locator(`details:has(> ${body}) > summary`).boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(0);
    expect(box!.y).toBeLessThan(200);
  });

  it.each(['exchanges', 'charts', 'glossary'])('lead to #%s on a phone, whatever is above', async (id) => {
    const viewport = { width: 375, height: 667 };
    const { page } = await open(path, { viewport, reducedMotion: 'no-preference' });
    await page.evaluate(
      `new Promise((resolve) => {
        addEventListener('scrollend', resolve, { once: true });
        document.querySelector('nav a[href="#${id}"]').click();
      })`,
    );
    const { y } = (await page.locator(`[id="${id}"]`).boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(viewport.height);
  });

  it('of the contents list lead to each section', async () => {
    const { page } = await open(path);
    await tabTo(page, 'nav a[href="#section-4.2"]');
    await page.keyboard.press('Enter');
    expect(await page.locator('[id="section-4.2"]').innerText()).toContain('Issue a scoped token');
    const links = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) => all.map((link) => (link as unknown as { hash: string }).hash.slice(1)));
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });
});

describe('a failure', () => {
  it('shows what was sent, expected and got, marks the difference to the code point, and has lines to copy', async () => {
    const { page } = await open(`${path}#${ID}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    const text = await page.locator(body).innerText();
    for (const part of ['POST', 'Expected', 'Got', '/name', 'Send it again', 'Replay it'])
      expect(text).toContain(part);
    expect(await page.locator(`${body} .value del`).count()).toBeGreaterThan(0);
    expect(await page.locator(`${body} .points`).innerText()).toMatch(/at code point \d+: U\+[\dA-F]{4}/);

    const command = page.locator(`${body} .command`).first();
    await command.locator('button').focus();
    await page.keyboard.press('Enter');
    await command.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await command.locator('code').innerText());
    expect(copied).toMatch(/^curl .*"Authorization: Bearer \$TARGET_API_KEY"/);

    // Where copying is not allowed.
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`);
    await command.locator('button').click();
    await command.getByText('Selected').waitFor();
    expect(await page.evaluate<string>('String(getSelection())')).toBe(
      await command.locator('code').innerText(),
    );
  });
});

describe('on paper', () => {
  it.each([true, false])(
    'what failed is open, the rest has a line each (script: %s)',
    async (javaScriptEnabled) => {
      const { page } = await open(path, { javaScriptEnabled });
      const exchange = page.locator(`${body} .exchange`).first();
      expect(await exchange.isVisible()).toBe(false);
      if (javaScriptEnabled) await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      await page.emulateMedia({ media: 'print' });
      expect(await exchange.isVisible()).toBe(true);
      expect((await exchange.boundingBox())!.height).toBeGreaterThan(50);
      expect(await page.locator('[id="http.date"]').isVisible()).toBe(false);
      for (const selector of ['nav', '#exchanges', '#charts'])
        expect(await page.locator(selector).isVisible()).toBe(false);
      if (!javaScriptEnabled) return;
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
      expect(await page.locator('main .entries details[open]').count()).toBe(0);
    },
  );
});

describe('a difference, on paper', () => {
  it('has what each verdict was, of what passes too', async () => {
    const { page } = await open(inject('pages')['a difference']);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('details.pass .note').count()).toBeGreaterThan(0);
    expect(await page.locator('.note:visible').count()).toBe(await page.locator('.note').count());
  });
});

describe('one failure, on paper', () => {
  it.each([
    ['A4', 'short', 'x'],
    ['Letter', 'long', 'words '.repeat(800)],
  ])('fills at most two pages of %s if its exchanges are %s', async (format, _, text) => {
    const folder = dirname(inject('pages')['no failure']);
    const report = readReport(folder);
    const counterexample = {
      ...sampleCounterexample('x'),
      exchanges: [sampleExchange(text), sampleExchange(text)],
    };
    const requirements = report.requirements.map((one) =>
      one.id === ID ? { ...one, verdict: 'fail' as const, broken: 9, counterexample } : one,
    );
    const copy = fileWith(
      reportPage({ ...report, verdict: 'does-not-conform', requirements }, []),
      'index.html',
    );
    const { page } = await open(copy, { viewport: { width: 680, height: 1000 } });
    const pdf = (await page.pdf({ format })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)!.length).toBeLessThanOrEqual(2);
    await page.emulateMedia({ media: 'print' });
    const heights = await page
      .locator('.entry > details.pass > summary')
      .evaluateAll((all) => all.map((one) => (one as unknown as { offsetHeight: number }).offsetHeight));
    expect(heights.length).toBeGreaterThan(30);
    expect(Math.max(...heights)).toBe(Math.min(...heights));
  });
});

describe('without a script', () => {
  it('all can be read, and nothing is offered that would not work', async () => {
    const { page, printed } = await open(path, { javaScriptEnabled: false });
    expect(await page.locator('search').isVisible()).toBe(false);
    await page.locator(`details:has(> ${body}) > summary`).click();
    expect(await page.locator(body).isVisible()).toBe(true);
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(printed).toEqual([]);
  });
});

describe('the policy of the page', () => {
  it('lets no other script, handler, style or request through', async () => {
    const injected = `<script>globalThis.hit = 1</script><b id="x" style="color: red" onclick="globalThis.hit = 2">x</b>
      <img src="https://example.com/x.png" alt="" /><style>b { color: red }</style></main>`;
    const copy = fileWith(
      readFileSync(inject('pages')['nothing there'], 'utf8').replace('</main>', () => injected),
      'index.html',
    );
    const { page, printed, asked } = await open(copy);
    await page.locator('#x').click();
    expect(await page.evaluate<unknown>('globalThis.hit')).toBeUndefined();
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('#x')).color`)).not.toBe(
      'rgb(255, 0, 0)',
    );
    expect(asked).toEqual([page.url()]);
    expect(printed.length).toBeGreaterThanOrEqual(5);
  });
});

describe('motion', () => {
  it('is left out for readers who prefer none', async () => {
    const behaviour = 'getComputedStyle(document.documentElement).scrollBehavior';
    const { page } = await open(inject('pages')['nothing there']);
    expect(await page.evaluate<string>(behaviour)).toBe('auto');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate<string>(behaviour)).toBe('smooth');
  });
});
