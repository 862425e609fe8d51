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
 * The variations of long texts: lengths at which implementations cut a text, and risky contents. Without a seed, a long text has
 * 1,000 characters, more than most database columns.
 */
const LONG_TEXTS: readonly RequestVariation[] = [
  length(1_024),
  // Harmless also where it is executed as code.
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

/** Forms of requests without a body that a service may refuse. */
const FORMS: readonly LenientForm[] = [...LENIENT_VARIATIONS, 'spelling'];

const lenient = (form: LenientForm): RequestVariation => ({ id: form, kind: 'lenient', form });

/**
 * Variations that a service may refuse, by the id of their probe. Only probes whose response no check needs have one; the seed
 * rotates them.
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
  // Half of the open reads: the others show the response to the usual form.
  const open = probes.filter(isOpenRead).filter((_, index) => (index + seed) % 2 === 0);
  const reads = open.flatMap(({ id }, index) => {
    const form = FORMS[(seed * open.length + index) % FORMS.length];
    return form ? [[id, [lenient(form)]] as const] : [];
  });
  return new Map<string, readonly RequestVariation[]>([...long, ...spare, ...reads]);
}

/** Whether a read is one whose response the interface leaves open. */
function isOpenRead({ validity, stage, key, body }: Probe): boolean {
  return validity === 'open' && stage === 'invalid' && key === 'valid' && body === undefined;
}
