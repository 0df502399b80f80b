import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** An open page, with what it printed and asked for. */
interface Opened {
  readonly page: Page;
  /** The lines of its console, errors included. */
  readonly printed: string[];
  /** Addresses that it tried to load. */
  readonly asked: string[];
}

/** Opens files in Chromium, each in a context of its own, as long as the tests of one file run. */
export function browserForTests(): (path: string, options?: BrowserContextOptions) => Promise<Opened> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      // The sandbox of Chromium needs a user that is not root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())).then(() => {}));
  afterAll(() => browser.close());
  return async (path, options = {}) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const printed: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => printed.push(message.text()));
    page.on('pageerror', (error) => printed.push(error.message));
    await context.route('**/*', (route, request) => {
      asked.push(request.url());
      return request.url().startsWith('file:') ? route.continue() : route.abort();
    });
    const [file, anchor] = path.split('#');
    await page.goto(`${pathToFileURL(file!).href}${anchor === undefined ? '' : `#${anchor}`}`);
    return { page, printed, asked };
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe-core that depend on the size of the window and on the colours. */
export const OF_VIEW: readonly string[] = ['color-contrast', 'target-size'];

/**
 * What axe-core finds wrong with a page. All but a few exchanges are removed first: they are alike, and would take most of
 * its time.
 * @param rules default: all
 */
export async function violationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(
    `for (const exchange of document.querySelectorAll('.log > :nth-child(n + 9)')) exchange.remove()`,
  );
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify({ rules: { 'target-size': { enabled: true } }, ...(rules && { runOnly: rules }) })}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  );
}

/** Opens all that can be opened, but only a few of the exchanges, which are alike. */
export const openAll = (page: Page): Promise<void> =>
  page.evaluate<void>(
    `for (const details of document.querySelectorAll('details:not(.log > :nth-child(n + 9) > *)')) details.open = true`,
  );

/** How far a page reaches beyond the right edge of the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
