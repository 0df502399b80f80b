import type { CommandResult } from '../../selftest/command.ts';
import { fileWith } from '../../selftest/files.ts';
import { startPlainService } from '../../selftest/plain-service.ts';
import type { PlainBehaviour } from '../../selftest/plain-service.ts';
import type { RunsCommand } from '../../selftest/prove/command-pool.ts';

type MakesRun = (cts: RunsCommand) => Promise<CommandResult>;

/** Not many exchanges: Chromium takes seconds to lay out hundreds, each time a page is opened. */
const few = ['--seed', '7', '--cases', '60'];

/** Text that would be markup, script, or a change of direction if it was not escaped. */
export const hostile = [
  '</code></pre></details><script>globalThis.hit = 1</script>',
  '<img src=x onerror="globalThis.hit = 2">',
  "\"><svg onload='globalThis.hit = 3'>",
  '\u202Efdp.exe\u202C \u0000\u001B[31m\u200B\u2066\u{E0041} \uFEFF',
  '-->&lt;!--&#x3c;/style><style>*{display:none}</style>',
  `${'unbreakable'.repeat(60)} ${'\u0300'.repeat(40)}`,
].join('\n');

/** Breaks what it can: names, addresses, ids, keys, tokens; is busy now and then. */
function manyFaults(): PlainBehaviour {
  let customers = 0;
  return {
    echo: (name) =>
      name
        .replace('İ', 'i')
        .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060]/g, '')
        .replaceAll('<', '&lt;')
        .trim(),
    id: (count) => (count % 7 === 0 ? `CUS-${count}` : `cus_${count % 90}`),
    isKey: (authorization, key) =>
      authorization.includes(key.slice(0, 18)) || authorization.toLowerCase().startsWith('basic'),
    token: ({ scopes }) => ({ value: `tok-${scopes.join()}-0123456789abcdef`, kind: 'bearer' }),
    instead: (request, response, count) => {
      if (request.url?.endsWith('/customers')) customers++;
      if (customers === 30 || customers === 120) {
        customers++;
        response.writeHead(429, { 'Retry-After': '1' }).end();
        return true;
      }
      if (count % 61 === 0) {
        request.socket.destroy();
        return true;
      }
      return false;
    },
  };
}

const hostileService: PlainBehaviour = {
  echo: (name) => `${name}${hostile}`,
  token: () => ({ [hostile]: hostile, token: `t${'0123456789abcdef'.repeat(3)}` }),
  instead: (request, response, count) => {
    if (count % 5 !== 0 || request.headers.authorization?.includes('sk_test_')) return false;
    response.writeHead(403, { 'Content-Type': 'text/html', 'X-Note': '<script>globalThis.hit = 4</script>' });
    response.end(`<!doctype html><title>${hostile}</title>`);
    return true;
  },
};

/** Answers that a plain service does not give, a waiver, and an answer that it does give. */
const profile = {
  name: 'Acme <b>staging</b>',
  answers: {
    'customer.create.status': 201,
    'auth.rejection.status': [401, 403],
    'customer.members': { '/id': 'string', '/name': 'string', '/email': 'string', '/phone': 'string' },
    'error.body': { type: 'application/problem+json', members: { '/title': 'string' } },
    'token.response.credential': '/access_token',
  },
  waivers: [
    {
      requirement: 'token.response.credential',
      reason: 'the old gateway wraps it; it goes in March',
      owner: 'Ada Berg',
      until: '2999-12-31',
    },
  ],
};

const against =
  (behaviour: PlainBehaviour, args: readonly string[] = []): MakesRun =>
  async (cts) => {
    const service = await startPlainService(behaviour);
    try {
      return await cts([...few, ...args], {
        TARGET_BASE_URL: service.baseUrl,
        TARGET_API_KEY: service.apiKey,
      });
    } finally {
      await service.stop();
    }
  };

/** Runs of the command whose pages are tested, by what is special about them. */
export const runs = {
  'many failures': against(manyFaults()),
  'no failure': (cts) => cts(few, {}),
  'nothing there': async (cts) => {
    const service = await startPlainService();
    await service.stop();
    return cts([], { TARGET_BASE_URL: service.baseUrl, TARGET_API_KEY: service.apiKey });
  },
  'hostile texts': against(hostileService),
  'a profile and drift': against({}, ['--profile', fileWith(profile)]),
} satisfies Record<string, MakesRun>;

/** The page of a run, or of a comparison of several. */
export type PageName = keyof typeof runs | 'a difference' | 'services side by side';
