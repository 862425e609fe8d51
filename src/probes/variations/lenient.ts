import {
  LENIENT_BODIES,
  LENIENT_VARIATIONS,
  type LenientForm,
  type Probe,
  type RequestVariation,
} from '../../model/probe.ts';
import { hasLongText } from './apply.ts';
import { ACCENTED } from './texts.ts';

/** Lengths at which implementations end a text; the plain one is another. */
const LENGTHS: readonly RequestVariation[] = [255, 256, 1_024, 10_000].map((length) => ({
  id: `text-length:${length}`,
  kind: 'text-length',
  length,
}));

/** Nothing that reads one of these as code changes anything. */
const RISKY_TEXTS: readonly RequestVariation[] = (
  [
    ['sql', `O'Neil"); SELECT 1; -- ' OR '1'='1' /* \\' */`],
    ['shell', 'Rex $(true) `true` ; true | true && $HOME ../../etc/hosts'],
    ['format', 'Rex %n %x %1$s %(name)s {0} {name} $1 \\1'],
    ['control', 'Rex \u0001\u0007\b\u001b[31m \u2028\ufeff tab\tline\r\nX-Line: 1'],
  ] as const
).map(([name, text]) => ({ id: `risky-text:${name}`, kind: 'risky-text', text }));

/** What a long text is in turn; the plain one first. */
const LONG_TEXTS: readonly (RequestVariation | undefined)[] = [undefined, ...LENGTHS, ...RISKY_TEXTS];

/** Forms of requests without a body. */
const FORMS: readonly LenientForm[] = [...LENIENT_VARIATIONS, 'spelling'];

const lenient = (form: LenientForm): RequestVariation => ({ id: form, kind: 'lenient', form });

/**
 * What a service may refuse, by the id of the request that has it. Each is on a request whose response no check needs, one
 * at most on each; the seeds rotate them.
 */
export function lenientVariations(
  probes: readonly Probe[],
  seed: number,
): ReadonlyMap<string, readonly RequestVariation[]> {
  const long = probes.filter(hasLongText).flatMap(({ id }, index) => {
    const variation = LONG_TEXTS[(seed + index) % LONG_TEXTS.length];
    return variation ? [[id, [variation]] as const] : [];
  });
  const spare = probes
    .filter(({ isSpare }) => isSpare)
    .map(({ id }) => [id, [ACCENTED, lenient(inTurn(LENIENT_BODIES, seed))]] as const);
  // Half of the requests that are open anyway: the others show what they get in the usual form.
  const open = probes.filter(isOpenRead).filter((_, index) => (index + seed) % 2 === 0);
  const reads = open.map(
    ({ id }, index) => [id, [lenient(inTurn(FORMS, seed * open.length + index))]] as const,
  );
  return new Map<string, readonly RequestVariation[]>([...long, ...spare, ...reads]);
}

/** Whether a read asks for something that the interface leaves open. */
function isOpenRead({ validity, stage, key, body }: Probe): boolean {
  return validity === 'open' && stage === 'invalid' && key === 'valid' && body === undefined;
}

function inTurn(forms: readonly LenientForm[], turn: number): LenientForm {
  return forms[turn % forms.length] ?? 'accept-any';
}
