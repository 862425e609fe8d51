import { createHash } from 'node:crypto';
import { HtmlValidate } from 'html-validate';
import { describe, expect, test } from 'vitest';
import { client, hostile, incomplete, narrowed, rootCaused, sample } from '../../../test/browser/reports.ts';
import type { Report } from '../../model/report/report.ts';
import { renderHtml } from './index.ts';

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
});

const REPORTS: Readonly<Record<string, () => Report>> = {
  conformant: () => sample('conformant'),
  broken: () => sample('broken'),
  incomplete,
  narrowed,
  rootCaused,
  hostile,
  client,
  empty: () => ({ ...sample('conformant'), requirements: [], exchanges: [] }),
};

describe.each(Object.keys(REPORTS))('the page of a report that is %s', (name) => {
  const report = REPORTS[name]?.() ?? sample('broken');
  const page = renderHtml(report);

  test('is valid HTML', async () => {
    // Further ones of the same level and status are built alike.
    const kindOf = ({ level, status }: Report['requirements'][number]) => `${level} ${status}`;
    const requirements = report.requirements.filter((each, index) => {
      const before = report.requirements.slice(0, index).filter((other) => kindOf(other) === kindOf(each));
      return before.length < 2;
    });
    const short = renderHtml({ ...report, requirements, exchanges: report.exchanges.slice(0, 8) });
    const { results } = await validator.validateString(short);
    const messages = results.flatMap((each) =>
      each.messages.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`),
    );
    expect(messages).toEqual([]);
  });

  test('is the same for the same report, and does not change it', () => {
    const before = JSON.stringify(report);
    expect(renderHtml(report)).toBe(page);
    expect(JSON.stringify(report)).toBe(before);
  });

  test('allows its own style and script, and nothing else', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    for (const element of ['style', 'script']) {
      const code = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page)?.[1] ?? '';
      expect(policy).toContain(
        `${element}-src &#39;sha256-${createHash('sha256').update(code).digest('base64')}&#39;`,
      );
    }
    expect(policy).toMatch(/^default-src &#39;none&#39;; /);
    expect(page).not.toMatch(/<[^>]* (?:style|on\w+)=/);
    expect(page).not.toMatch(/<[^>]* (?:src|href)="(?!#)/);
  });

  test('has what its links lead to', () => {
    const targets = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    expect(new Set(targets.filter((each) => !ids.has(each)))).toEqual(new Set());
  });

  test('is bounded, and has no invisible characters', () => {
    expect(page.length).toBeLessThan(2_500_000);
    expect(page.match(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]|(?!\n)\p{Cc}/gu)).toBeNull();
  });
});

test('the findings come first, each with both sides, then the exchange, then what reproduces it', () => {
  const page = renderHtml(sample('broken'));
  const [card = ''] = /<article class="finding violated".*?<\/article>/s.exec(page) ?? [];
  const places = ['<h4>Expected</h4>', 'class="exchange', 'class="reproduce"'].map((each) =>
    card.indexOf(each),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(page.indexOf('id="violations"')).toBeLessThan(page.indexOf('id="sections"'));
});

test('a report may have more exchanges than a function takes arguments', () => {
  const [first] = sample('conformant').exchanges;
  if (!first) throw new Error('the sample has no exchange');
  // Without a response, none has a dot in a chart.
  const { response: _, ...lost } = first;
  const exchanges = Array.from({ length: 150_000 }, (_, index) => ({
    ...lost,
    id: index + 1,
    sentAt: first.sentAt + index,
    receivedAt: first.sentAt + index + 1,
  }));
  const page = renderHtml({ ...sample('conformant'), exchanges });
  // The first was sent at the start of the run.
  expect(page).toContain('· at 0.000 s, took 1 ms');
  expect(page).toContain('· at 0.599 s, took 1 ms');
});

test('how long a run took is by its own clock, and a virtual one is named', () => {
  const report = { ...sample('conformant'), durationMs: 22_400 };
  expect(renderHtml(report)).toContain('<dt>Took</dt><dd>22 s</dd>');
  expect(renderHtml({ ...report, virtualTime: true })).toContain(
    '<dt>Took</dt><dd>22 s in virtual time</dd>',
  );
});

test('advisories count as violations in a strict run', () => {
  const page = renderHtml({ ...sample('broken'), strict: true });
  expect(page).toContain('5 violations');
  expect(page).not.toContain('id="advisories"');
  expect(page).not.toContain('class="badge advisory"');
});

test.each([
  ['a run', {}, 'option', 'options left requirements out.'],
  ['a recording', { recording: { files: [], keys: 0 } }, 'selection', 'options left requirements out.'],
  [
    'a recording',
    { recording: { files: [], keys: 0 } },
    'no-traffic',
    'the recording does not put every requirement to the test.',
  ],
] as const)('what narrows the verdict of %s, %j: %s', (_what, judged, kind, words) => {
  const left = [{ kind, option: 'anything', requirements: ['listPets.200'] }];
  expect(renderHtml({ ...narrowed(), ...judged, narrowed: left } as Report)).toContain(words);
});

test.each<[string, Partial<Report>, string, string]>([
  [
    'a recording',
    { recording: { files: [], keys: 2 } },
    'Recorded exchanges',
    '83 recorded exchanges, 2 keys',
  ],
  [
    'a client',
    { client: { command: 'node client.js', scenarios: [] } },
    'Requests of the client',
    '83 requests in 0 scenarios',
  ],
])(
  'petspec sent nothing and added nothing: the page of %s says what others sent',
  (_what, judged, title, words) => {
    const requests = { total: 83, withKey: 83, byPurpose: { other: 83 }, created: [] };
    const page = renderHtml({ ...sample('conformant'), ...judged, requests });
    expect(page).toContain(`<h2 id="requests-title">${title}</h2>`);
    expect(page).toContain(`<a href="#requests">${title}</a>`);
    expect(page).toContain(`<p class="sum">${words}</p>`);
    const [section] = /<section id="requests".*?<\/section>/s.exec(page) ?? [];
    expect(section).not.toMatch(/sent|with the key|added|Other operations/);
  },
);
