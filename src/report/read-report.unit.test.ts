import { expect, test } from 'vitest';
import { withoutExchanges } from './read-report.ts';

const bare = (text: string) => withoutExchanges(Buffer.from(text)).toString();

test.each<[text: string, left: string]>([
  ['{"a":1,"exchanges":[{"id":1},{"id":2}],"b":2}', '{"a":1,"exchanges":[],"b":2}'],
  ['{"exchanges" : \n[ [], {"x":"]\\"]"} ] }', '{"exchanges" : \n[] }'],
  ['{"exchanges":[]}', '{"exchanges":[]}'],
  [
    '{"a":"exchanges","b":[{"exchanges":[1]}],"exchanges":[2]}',
    '{"a":"exchanges","b":[{"exchanges":[1]}],"exchanges":[]}',
  ],
  ['{"\\\\":"é","exchanges":["🐈\\\\"],"c":"é"}', '{"\\\\":"é","exchanges":[],"c":"é"}'],
])('%s has no exchanges left', (text, left) => {
  expect(bare(text)).toBe(left);
});

test.each([
  '',
  '[]',
  '7',
  '{"exchanges":7}',
  '{"exchanges":[1',
  '{"exchanges":["a]}',
  '{"exchanges',
  '"',
  '{"a":"\\',
])('%s stays what it is', (text) => {
  expect(bare(text)).toBe(text);
});
