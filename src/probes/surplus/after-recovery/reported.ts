import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupedBy } from '../../../model/large/lookups.ts';
import { packageRoot } from '../../../model/package-root.ts';
import type { Probe } from '../../../model/probe.ts';
import { merged } from '../merged.ts';

/** A public bug report of a JSON API. */
export interface BugReport {
  kind: string;
  /** The part of the system that has the bug. */
  area: string;
  sent: string;
  received: string;
  /** The address of the report. */
  source: string;
}

/** A kind of bug, and the ids of the probes that look for it, or the reason why there are none. */
interface BugKind {
  title: string;
  probes?: RegExp;
  outOfReach?: string;
}

/** Kinds of bugs in public reports. Probes for a kind with more reports come earlier. */
export const BUG_KINDS: Readonly<Record<string, BugKind>> = {
  'wrong-type': {
    title: 'a value of another type',
    probes: /^\w+:\w+-(further-|number|null|object|string|array|boolean|fraction)/,
  },
  'wrong-member': {
    title: 'a value that is no member of an enumeration',
    probes: /^\w+:\w+-further-|[-=]non-member$/,
  },
  'malformed-json': {
    title: 'a body that is not JSON',
    probes:
      /:(malformed|further-(cut|trailing-comma|single-quotes|bare-names|comment|leading-zero|plus|control|escape|undefined))$/,
  },
  'empty-body': { title: 'an empty body', probes: /:(empty|further-blanks)$/ },
  'not-an-object': {
    title: 'JSON that is no object',
    probes:
      /:(array|null|further-(no-fields|text|number|false|true|empty-text|empty-array|array-of-empty|text-of-json))$/,
  },
  'text-after': { title: 'text after the body', probes: /:further-(text-after|two|byte-after)$/ },
  'number-out-of-range': {
    title: 'a number beyond its range',
    probes: /(beyond-int64|beneath-int64|further-(huge|far|int32|int64|least|two-to-64)|:largest)$/,
  },
  'not-a-number': { title: 'NaN and infinity', probes: /further-(nan|infinity|exponent)$/ },
  'lost-digits': { title: 'digits beyond 2^53', probes: /:(beyond-2-53|maximum|further-beyond-double)$/ },
  'text-for-number': { title: 'a text in place of a large integer', probes: /:(minimal|plain)$/ },
  'null-for-absent': { title: 'null for a field that was not sent', probes: /:minimal$/ },
  'changed-text': { title: 'a text that is changed', probes: /:full-\d$/ },
  'beyond-bmp': { title: 'characters of four bytes', probes: /:full-\d$/ },
  'half-character': { title: 'half of a character', probes: /-half-(character|escape)$/ },
  'zero-character': { title: 'U+0000', probes: /:further-(\w+-zero|parameters-1)$/ },
  'invalid-utf8': { title: 'bytes that are not UTF-8', probes: /:further-byte-(in-name|after)$/ },
  'byte-order-mark': { title: 'a byte order mark', probes: /:further-byte-order-mark$/ },
  'deep-nesting': { title: 'many levels', probes: /-(deep|open-arrays)$/ },
  'duplicate-name': { title: 'one field twice', probes: /:further-duplicate-name$/ },
  'name-in-other-case': { title: 'names that differ in case', probes: /:further-other-case$/ },
  'property-name': { title: 'names of properties of objects', probes: /:further-(fields|\w+-property)$/ },
  'unknown-field': { title: 'fields that are not listed', probes: /:(unknown-field|further-fields)$/ },
  'operator-object': { title: 'an operator in place of a value', probes: /:further-parameters-\d$/ },
  'wrong-parameter': { title: 'a wrong parameter', probes: /=(below|above|wrong-type|further-\S+)$/ },
  'repeated-parameter': { title: 'a parameter twice', probes: /=further-repeated$/ },
  'brackets-in-name': { title: 'brackets in the name of a parameter', probes: /:further-parameters-2$/ },
  'page-size': { title: 'sizes of pages', probes: /=(minimum|maximum)$|:further .*=\d/ },
  'percent-escape': {
    title: 'a percent sign that escapes nothing',
    probes: /:further-broken-percent$|[:=]further-percent$/,
  },
  'address-spelling': { title: 'another spelling of an address', probes: /:spelled-/ },
  'content-type': { title: 'another Content-Type', probes: /:further-type-/ },
  'content-encoding': { title: 'another Content-Encoding', probes: /:further-encoding$/ },
  'chunked-body': { title: 'a body in chunks', probes: /:further-chunked$/ },
  negotiation: { title: 'a malformed Accept', probes: /:further-(broken-accept|headers)$/ },
  cookie: { title: 'a malformed cookie', probes: /:further-headers$/ },
  conditional: { title: 'a condition', probes: /:further-headers$/ },
  'key-form': { title: 'no key, or a malformed one', probes: /:key-/ },
  'shared-response': { title: 'a stored response for somebody else', probes: /:key-/ },
  'stale-read': { title: 'what was stored before an addition', probes: /:further-(again|back)/ },
  'creation-race': { title: 'additions at the same time', probes: /:full-\d$/ },
  'left-over-body': { title: 'a request after a refused body', probes: /:(key-absent|malformed)$/ },
  'refused-body': { title: 'a refusal that is not JSON', probes: /-missing$/ },
  'refusal-body': { title: '429 that is not JSON', probes: /:exhaust$/ },
  'limit-headers-lost': { title: 'no headers of the limit', probes: /:(unknown|key-absent|exhaust)$/ },
  'limit-times': { title: 'a wrong Reset or Retry-After', probes: /:exhaust$/ },
  remaining: { title: 'a wrong count of what remains', probes: /:exhaust$/ },
  'limit-race': { title: 'a limit that a burst exceeds', probes: /:exhaust$/ },
  'forwarded-address': { title: 'a limit by X-Forwarded-For', probes: /:exhaust$/ },
  'window-end': { title: 'a window that does not end', probes: /:recover$/ },
  head: {
    title: 'HEAD',
    outOfReach: 'no operation has the method HEAD: what it gets is not shown, and servers may answer 501',
  },
  expectation: {
    title: 'Expect: 100-continue',
    outOfReach: 'undici, by which petspec sends, refuses requests with Expect',
  },
  'unknown-address': {
    title: 'an address that does not exist',
    outOfReach:
      'what an address of no operation gets is not shown, and a server before the service may answer it',
  },
};

/** The reports in the order of their file, which has one per line. */
export function readBugReports(): BugReport[] {
  const text = readFileSync(join(packageRoot, 'assets', 'bug-reports.tsv'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [kind = '', area = '', sent = '', received = '', source = ''] = line.split('\t');
      return { kind, area, sent, received, source };
    });
}

/** Reports by kind, which are read only once: every run orders probes by them. */
let reported: ReadonlyMap<string, readonly BugReport[]> | undefined;

function countOf(kind: string): number {
  reported ??= groupedBy(readBugReports(), (report) => report.kind);
  return reported.get(kind)?.length ?? 0;
}

/**
 * Orders probes by the number of public reports of the bugs that they look for: the more reports, the earlier they come. Probes for
 * the same bugs keep their order.
 */
export function byReports(probes: readonly Probe[]): Probe[] {
  const kinds = Object.entries(BUG_KINDS);
  const kindsOf = ({ id }: Probe) => kinds.filter(([, bug]) => bug.probes?.test(id)).map(([kind]) => kind);
  const ofOneKind = [...groupedBy(probes, (probe) => kindsOf(probe).join())];
  return merged(
    ofOneKind.map(([names, values]) => ({
      share: names.split(',').reduce((sum, kind) => sum + countOf(kind), 0) || 1,
      values,
    })),
  );
}
