import { describe, expect, test } from 'vitest';
import { allChecks } from '../../../suites/index.ts';
import { loadContract } from '../../contract/load.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import { LENIENT_VARIATIONS, lateValuesIn, type Probe } from '../../model/probe.ts';
import { variedProbe } from '../../requests/varied-probe.ts';
import { probesOf, seedOf } from '../../run/plan/probes.ts';

const contract = loadContract();
const checks = allChecks(contract);
const probesWith = (seed: number | 'none') => probesOf(contract, checks, seed);
const idsOf = (probe: Probe) => (probe.variations ?? []).map(({ id }) => id);
const SEEDS = [0, 1, 2, 3, 4];

/** The texts that a probe sends, without the characters that make them unique. */
function textsOf(probe: Probe): string[] {
  const operation = contract.operations.find(({ id }) => id === probe.operation);
  if (!operation) return [];
  const { body } = variedProbe(probe, operation, probe.variations ?? []);
  return lateValuesIn(body).flatMap((late) => (late.late === 'own' && late.as === 'text' ? [late.like] : []));
}

test('a set of requirements has a seed of its own', () => {
  expect(seedOf(contract)).toBe(contract.sets.length - 1);
  expect(seedOf({ ...contract, set: contract.sets[0] ?? '' })).toBe(0);
});

test('the same seed varies the same, another one does not', () => {
  expect(probesWith(7)).toEqual(probesWith(7));
  expect(probesWith(7)).not.toEqual(probesWith(8));
});

test('without a seed nothing varies, and a seed changes no request with the right key otherwise', () => {
  const plain = probesWith('none');
  expect(plain.filter(({ variations, rounds, lenient }) => variations ?? rounds ?? lenient)).toEqual([]);
  const bare = probesWith(3).map(({ variations: _, rounds: _rounds, lenient: _lenient, ...rest }) => rest);
  const rotated = ['minimum', 'zero', 'minus-one', 'unsigned-32', 'spare'].map((id) => `createPet:${id}`);
  const isAsPlanned = ({ id, stage, key }: Pick<Probe, 'id' | 'stage' | 'key'>) =>
    stage !== 'exhaust' && key === 'valid' && !rotated.includes(id);
  expect(bare.filter(isAsPlanned)).toEqual(plain.filter(isAsPlanned));
});

describe.each(SEEDS)('seed %i', (seed) => {
  const probes = probesWith(seed);
  const byId = new Map(probes.map((each) => [each.id, each]));
  const varied = probes.filter(({ variations }) => variations);

  test('no invalid request varies, and not the first', () => {
    expect(varied.every(({ validity, key }) => validity !== 'invalid' && key === 'valid')).toBe(true);
    expect(varied.filter(({ stage }) => ['first', 'exhaust', 'recover'].includes(stage))).toEqual([]);
  });

  test('creations have nearly every pair of header names, white space, escapes and order', () => {
    const creations = varied.filter(({ operation }) => operation === 'createPet').map(idsOf);
    const levels = [
      ['header-names:title', 'header-names:upper'],
      ['json-space:spaces', 'json-space:lines'],
      ['json-escapes:unicode', 'json-escapes:names'],
      ['field-order'],
    ];
    const pairs = levels.flatMap((own, index) =>
      levels.slice(index + 1).flatMap((others) => own.flatMap((one) => others.map((other) => [one, other]))),
    );
    const missing = pairs.filter((pair) => !creations.some((own) => pair.every((id) => own.includes(id))));
    expect(pairs).toHaveLength(18);
    // Nine creations are too few for all of them.
    expect(missing.length).toBeLessThanOrEqual(2);
  });

  test('each script and sign is in a name that has to be accepted, and no name has more than seven', () => {
    const full = ['full-1', 'full-2', 'full-3'].map((id) => byId.get(`createPet:${id}`) as Probe);
    const kinds = full.map((each) => idsOf(each).filter((id) => id.startsWith('text:')));
    expect(new Set(kinds.flat()).size).toBe(21);
    for (const own of kinds) expect(own.length).toBeLessThanOrEqual(7);
    const all = full.flatMap(textsOf).join();
    for (const text of ['Мурка', 'חתול', '🐈', 'e\u0301', '{{7*7}}', '"Duke"', '&amp;', 'two  blanks'])
      expect(all).toContain(text);
  });

  test('each of what matters at the beginning begins a name', () => {
    const creations = varied.filter(({ operation }) => operation === 'createPet').flatMap(textsOf);
    for (const beginning of ['00', '"Duke"', '猫咪', 'de '])
      expect(creations.some((text) => text.startsWith(beginning))).toBe(true);
  });

  test('a name of digits alone is only where it may be refused', () => {
    const numbers = varied.filter((each) => textsOf(each).some((text) => /^\d+$/.test(text)));
    expect(numbers.length).toBeLessThanOrEqual(1);
    for (const { expectation } of numbers) expect(statusesOf(expectation)).not.toHaveLength(1);
  });

  test('characters beyond the basic plane are written as two escapes in a name that has to be accepted', () => {
    const due = ['full-1', 'full-2', 'full-3'].map((id) => byId.get(`createPet:${id}`) as Probe);
    const astral = due.filter((each) => idsOf(each).includes('text:astral'));
    expect(astral).toHaveLength(1);
    expect(astral.flatMap(idsOf)).toContain('json-escapes:unicode');
  });

  test('what may be refused has a status, so that lists with a status show it; the plainest creation has none', () => {
    const statusOf = (id: string) => {
      const probe = byId.get(`createPet:${id}`) as Probe;
      const operation = contract.operations.find((each) => each.id === 'createPet');
      const { body } = operation ? variedProbe(probe, operation, probe.variations ?? []) : probe;
      return body && 'json' in body ? (body.json as { status?: string }).status : undefined;
    };
    const shown = ['maximum', 'beyond-2-53', 'long'].map(statusOf);
    expect(shown.sort()).toEqual(['available', 'pending', 'sold']);
    expect(statusOf('minimal')).toBeUndefined();
  });

  test('a name that a later request sends again stays as it is', () => {
    expect(textsOf(byId.get('createPet:minimal') as Probe)).toEqual(
      textsOf(byId.get('createPet:unknown-field') as Probe),
    );
  });

  test('a name fits into 255 bytes', () => {
    const names = varied.filter(({ id }) => id !== 'createPet:long').flatMap(textsOf);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });

  test('every text ends in letters or digits of its own', () => {
    const texts = varied.flatMap(textsOf);
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text).toMatch(/(?:-x{8}|(?:Ab){4}A?|^0{10})$/);
  });

  test('the requests that use up the limit ask for pages all over the range, and for each status twice', () => {
    const { rounds = [], lenient = [] } = byId.get('listPets:exhaust') as Probe;
    const valuesOf = (name: string) =>
      rounds.flatMap((round) =>
        round.flatMap((each) => ('name' in each && each.name === name ? each.value : [])),
      );
    const [large = '', stated, ...others] = valuesOf('limit');
    expect(stated).toBe('20');
    const drawn = [large, ...others];
    const sizes = drawn.map(Number).sort((left, right) => left - right);
    expect(sizes).toHaveLength(8);
    sizes.forEach((size, index) => {
      expect(size).toBeGreaterThan(index * 12);
      expect(size).toBeLessThanOrEqual(Math.ceil((index + 1) * 12.5));
    });
    expect(valuesOf('status').sort()).toEqual([
      'available',
      'available',
      'pending',
      'pending',
      'sold',
      'sold',
    ]);
    expect([...lenient].sort()).toEqual([...LENIENT_VARIATIONS].sort());
  });
});

describe('what a service may refuse', () => {
  const seeds = [0, 1, 2, 3, 4, 5, 6, 7];
  const lenient = ['text-length', 'risky-text', 'lenient'];
  const lenientOf = ({ variations = [] }: Probe) =>
    variations.filter(({ kind }) => lenient.includes(kind)).map(({ id }) => id);

  test('no request has more than one, and none that has to be answered in one way has any', () => {
    for (const probe of seeds.flatMap(probesWith)) {
      expect(lenientOf(probe).length, probe.id).toBeLessThanOrEqual(1);
      if (lenientOf(probe).length > 0) expect(statusesOf(probe.expectation), probe.id).not.toHaveLength(1);
    }
  });

  test('every seed sends as many requests and creations as no seed', () => {
    const withKey = (probes: readonly Probe[]) => probes.filter(({ key }) => key === 'valid').length;
    for (const seed of seeds) {
      expect(withKey(probesWith(seed))).toBe(withKey(probesWith('none')));
      expect(probesWith(seed).filter(({ creates, stage }) => creates && stage === 'create')).toHaveLength(9);
    }
  });

  test('the seeds from 0 to 7 send each of them before the limit is used up', () => {
    const sent = seeds.flatMap(probesWith);
    expect([...new Set(sent.flatMap(lenientOf))].sort()).toEqual(
      [
        ...LENIENT_VARIATIONS,
        ...['type-charset', 'type-case', 'chunked', 'spelling'],
        ...[255, 256, 1_000, 1_024, 10_000].map((length) => `text-length:${length}`),
        ...['code', 'control'].map((kind) => `risky-text:${kind}`),
      ].sort(),
    );
    expect(sent.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['minimum', 'zero', 'minus-one', 'unsigned-32'].map((id) => `createPet:${id}`)),
    );
  });
});
