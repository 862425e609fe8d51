import {
  LENIENT_VARIATIONS,
  type LenientForm,
  type Probe,
  type RequestVariation,
} from '../../model/probe.ts';
import { hasLongText } from '../../requests/varied-probe.ts';
import { ACCENTED } from './texts.ts';

const length = (length: number): RequestVariation => ({
  id: `text-length:${length}`,
  kind: 'text-length',
  length,
});
const risky = (name: string, text: string): RequestVariation => ({
  id: `risky-text:${name}`,
  kind: 'risky-text',
  text,
});

/**
 * What a long text is in turn. Implementations end a text at some of these lengths; without a seed it is the third, which is
 * longer than most columns are.
 */
const LONG_TEXTS: readonly RequestVariation[] = [
  length(1_024),
  // Nothing that reads this as code changes anything.
  risky(
    'code',
    `O'Neil"); SELECT 1; -- ' OR '1'='1' /* $(true) \`true\` | true && ../../etc/hosts %n %x %1$s {0} \\1`,
  ),
  length(1_000),
  risky('control', 'Rex \u0001\u0007\b\u001b[31m \u2028\ufeff tab\tline\r\nX-Line: 1'),
  length(10_000),
  length(256),
  length(255),
];

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
  const spare = probes.flatMap(({ id, form }) => (form ? [[id, [ACCENTED, lenient(form)]] as const] : []));
  // Half of the requests that are open anyway: the others show what they get in the usual form.
  const open = probes.filter(isOpenRead).filter((_, index) => (index + seed) % 2 === 0);
  const reads = open.flatMap(({ id }, index) => {
    const form = FORMS[(seed * open.length + index) % FORMS.length];
    return form ? [[id, [lenient(form)]] as const] : [];
  });
  return new Map<string, readonly RequestVariation[]>([...long, ...spare, ...reads]);
}

/** Whether a read asks for something that the interface leaves open. */
function isOpenRead({ validity, stage, key, body }: Probe): boolean {
  return validity === 'open' && stage === 'invalid' && key === 'valid' && body === undefined;
}
