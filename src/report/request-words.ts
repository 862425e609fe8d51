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
  const { interface: own, noun = 'thing' } = suite;
  // Most runs by a document of the user's create nothing.
  if (own !== undefined && requests.created.length === 0) return requestsByKind(requests);
  return `${requestsByKind(requests)}, ${counted(requests.created.length, noun)} ${own === undefined ? 'added' : 'created'}`;
}

function keyWords(keys: number): string {
  return keys === 0 ? 'no key recognized' : counted(keys, 'key');
}
