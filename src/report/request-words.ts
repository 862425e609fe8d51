import { counted, type Report } from '../model/report/report.ts';
import { requestsByKind } from './request-counts.ts';

/** The requests of a run, of the client that was judged, or of a recording, in words. */
export function requestWords({ suite, client, recording, requests }: Report): string {
  if (recording) {
    const exchanges = counted(requests.total, 'recorded exchange');
    return requests.areKeyless ? exchanges : `${exchanges}, ${keyWords(recording.keys)}`;
  }
  if (client)
    return `${counted(requests.total, 'request')} in ${counted(client.scenarios.length, 'scenario')}`;
  return [requestsByKind(requests), ...thingWords({ suite, requests })].join(', ');
}

/** What a run created, what became of it, and what it may have created. Most runs by a document of the user's create nothing. */
export function thingWords({ suite, requests }: Pick<Report, 'suite' | 'requests'>): string[] {
  const { interface: own, noun = 'thing' } = suite;
  const { created, things } = requests;
  const verb = own === undefined ? 'added' : 'created';
  const { removed = 0, stillThere = 0, mayHaveBeenCreated = 0 } = things ?? {};
  return [
    ...(own !== undefined && created.length === 0 ? [] : [`${counted(created.length, noun)} ${verb}`]),
    // Nothing that is added to the store of the bundled interface can be removed.
    ...(own === undefined || removed === 0 ? [] : [`${removed} removed`]),
    ...(own === undefined || stillThere === 0 ? [] : [`${stillThere} still there`]),
    ...(mayHaveBeenCreated === 0 ? [] : [`${counted(mayHaveBeenCreated, noun)} may have been ${verb}`]),
  ];
}

function keyWords(keys: number): string {
  return keys === 0 ? 'no key recognized' : counted(keys, 'key');
}
