import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../target/redactor.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import { openCounter } from './counted.ts';
import type { EvidenceLine } from '../schemas/evidence.ts';
import { Inconclusive } from './observation.ts';
import type { Exploration, Observation } from './observation.ts';
import { readRecorded } from './recorded.ts';
import { openRecording } from './recording.ts';
import type { Recording } from './recording.ts';
import { writeLines } from './write-lines.ts';

const NAME = 'wide customers';

/** @param filler characters of the response that nobody needs */
function observation(number: number, filler = 0, text?: string): Observation {
  const json = { id: `cus_${number}`, filler: 'x'.repeat(filler) };
  const whole = text ?? JSON.stringify(json);
  return {
    case: { experiment: NAME, index: number, category: 'combined', input: { name: 'Ada' } },
    accepted: true,
    exchange: {
      number,
      queue: NAME,
      request: { method: 'POST', path: '/v1/customers', credential: undefined, fields: [], body: undefined },
      url: 'http://localhost/v1/customers',
      reply: { status: 201, fields: {}, text: whole, json, notJson: undefined, utf8: true },
      troubles: [],
      startedAt: 1,
      firstByte: 2,
      duration: 3,
      inFlight: 4,
    },
  };
}

const explored = (observations: readonly Observation[]): Exploration<Observation> => ({
  observations,
  counted: [],
  lost: [],
  stopped: undefined,
});

/** A rejection that somebody else has seen, as requirements do. */
function failing(error: Error): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => {});
  return promise;
}

/** What is read back of what was recorded. */
async function readBack(recording: Recording) {
  const lines: EvidenceLine[] = [];
  const path = join(mkdtempSync(join(tmpdir(), 'cts-recording-')), 'evidence.ndjson');
  const made = recording.lines(createRedactor());
  await writeLines(
    path,
    (async function* () {
      for await (const line of made) {
        lines.push(line);
        yield line;
      }
    })(),
  );
  return {
    recorded: readRecorded(path),
    characters: JSON.stringify(lines).length,
    longest: Math.max(...lines.map((line) => JSON.stringify(line).length)),
  };
}

describe('a recording', () => {
  it('gives back what was observed, and what was not', async () => {
    const recording = openRecording(() => []);
    const request = observation(1).exchange.request;
    recording.explored(
      NAME,
      Promise.resolve({
        ...explored([observation(1)]),
        lost: [
          new NoReply(request, [{ kind: 'reset', detail: 'closed' }]),
          new Inconclusive('too soon', true),
        ],
        stopped: 'enough',
      }),
    );
    recording.explored('refused', failing(new Inconclusive('no token was issued')));
    recording.explored('late', failing(new Stopped('spent', 'budget')));
    const { recorded } = await readBack(recording);
    const back = recorded.explorationOf(NAME)!;
    expect(back.observations).toMatchObject([
      { accepted: true, case: { input: { name: 'Ada' } }, exchange: { reply: { json: { id: 'cus_1' } } } },
    ]);
    expect(back.lost[0]).toBeInstanceOf(NoReply);
    expect(back.lost[1]).toMatchObject({ message: 'too soon', isOptional: true });
    expect(back.stopped).toBe('enough');
    expect(() => recorded.explorationOf('refused')).toThrow(Inconclusive);
    expect(() => recorded.explorationOf('late')).toThrow(Stopped);
    expect(recorded.explorationOf('another')).toBeUndefined();
  });

  it('gives back what was only counted, in lines none of which is long', async () => {
    const counter = openCounter();
    const kind = { experiment: NAME, category: 'combined', accepted: true, status: 201, breaks: [] };
    for (let number = 0; number < 2500; number++) counter.add(kind, [number, `cus_${number}`], number % 9);
    counter.add({ ...kind, accepted: false, status: 422 }, [2500, null], 1);
    const counted = counter.of(NAME);
    const recording = openRecording(() => []);
    recording.explored(NAME, Promise.resolve({ ...explored([observation(1)]), counted }));
    const { recorded, longest } = await readBack(recording);
    expect(longest).toBeLessThan(30_000);
    const back = recorded.explorationOf(NAME)!.counted;
    expect(back.map(({ given, ...alike }) => ({ ...alike, given: [...given] }))).toEqual(
      counted.map(({ given, ...alike }) => ({ ...alike, given: [...given] })),
    );
  });

  it('is bounded, and still tells what is broken where a body was too long for it', async () => {
    const recording = openRecording(({ exchange }) =>
      exchange.number % 2 === 0 ? ['customer.name.echoed'] : [],
    );
    const many = Array.from({ length: 600 }, (_, at) => observation(at + 1, 20_000));
    recording.explored(NAME, Promise.resolve(explored(many)));
    const { recorded, characters } = await readBack(recording);
    expect(characters).toBeLessThan(10 * 1024 * 1024);
    const { observations } = recorded.explorationOf(NAME)!;
    expect(observations).toHaveLength(600);
    expect(observations[0]!.thin).toBeUndefined();
    expect(observations.at(-1)).toMatchObject({
      thin: { breaks: ['customer.name.echoed'] },
      exchange: { reply: { json: { id: 'cus_600' } } },
    });
    expect(observations.at(-2)!.thin).toEqual({ breaks: [] });
  });
});
