import type { Requirement } from '../model/contract.ts';
import { signaturesOfOthers } from './envelope.ts';
import { fingerprintOf } from './keys.ts';
import type { Certificate } from './read.ts';
import { daysOf, nameOf, type Yardstick } from './verify.ts';

/**
 * What a certificate that holds proves, and what it does not, in plain sentences.
 * @param newer requirements that this petspec has beyond the certificate's set
 */
export function meaningOf(
  { envelope, certified }: Certificate,
  { keys, subjects: subjectsWanted, report, now }: Yardstick,
  newer: readonly Pick<Requirement, 'id'>[],
): { proves: string[]; doesNot: string[] } {
  const { target, suite, subjects, passed, warned, unexercised } = certified;
  const who =
    keys.length > 0
      ? `who holds the key ${keys.map(fingerprintOf).join(', and who holds the key ')} says`
      : envelope
        ? 'somebody says, whose signature was not checked,'
        : 'somebody says';
  const where =
    target.kind === 'service'
      ? `${target.baseUrl} (messages at ${target.apiUrl ?? 'no address'})`
      : "petspec's own reference, which is no service of anybody,";
  const at = `${target.startedAt} (${daysAgo(now - Date.parse(target.startedAt))})`;
  const others = envelope ? signaturesOfOthers(envelope, keys) : [];
  const strangers = new Set(others.map(({ keyid, sig }) => keyid || sig.toString('base64'))).size;
  const proves = [
    `${who} that ${where} was judged by petspec ${suite.version} at ${at} and violated none of the ${passed.length + warned.length} requirements that are judged, of the ${suite.set.requirements} of the set ${suite.set.version}`,
    ...(subjects.length > 0 ? [`${who} that this was ${subjects.map(nameOf).join(', ')}`] : []),
    ...(report === undefined ? [] : ['the report is the one that it was made from']),
    ...(warned.length > 0 ? [`of these, advised on or not tested: ${warned.join(', ')}`] : []),
    ...(unexercised.length > 0
      ? [`of these, with nothing that put them to the test: ${unexercised.join(', ')}`]
      : []),
  ];
  const doesNot = [
    ...(keys.length > 0
      ? strangers > 0
        ? [
            `who else signed it: ${strangers} of its signatures ${strangers === 1 ? 'was' : 'were'} not checked`,
          ]
        : []
      : ['who says so: anybody can write such a file; --key names whose signature is wanted']),
    ...(target.kind === 'service' && subjects.length > 0
      ? ['that it was this that answered at the address: that is the word of who certified it']
      : []),
    ...subjectsWanted
      .filter(({ digest }) => digest === undefined)
      .map(
        (wanted) =>
          `which ${nameOf(wanted)} it was: --subject compared the name alone, and takes a digest or a file`,
      ),
    ...(report === undefined ? ['what the report says: --report names its file'] : []),
    ...(newer.length > 0 ? [`what newer sets ask: ${newer.map(({ id }) => id).join(', ')}`] : []),
    'that it still conforms today',
  ];
  return { proves, doesNot };
}

function daysAgo(age: number): string {
  const days = daysOf(age);
  return days === 0 ? 'today' : days === 1 ? 'a day ago' : `${days} days ago`;
}
