import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createPort, type Socket } from 'node:net';
import { spellingsOf } from '../secrets/spellings.ts';

/**
 * A service that hates secrets: it gives back the Authorization header that it was sent, wherever it can be put, and the
 * parts of other headers. Asked as a proxy, it answers itself.
 */
export interface EchoService {
  url: string;
  /** Requests that arrived somewhere else than asked, by following a redirect. */
  strayed: string[];
  /** Settles once a request is left waiting for ever. */
  hangs: Promise<void>;
  close(): void;
}

/** @param answers after so many answers it hangs */
export async function echoService(answers = Number.POSITIVE_INFINITY): Promise<EchoService> {
  const sockets = new Set<Socket>();
  const strayed: string[] = [];
  const elsewhere = createServer((request, response) => {
    strayed.push(`${request.url} ${request.headers.authorization}`);
    response.end('[]');
  });
  let isHanging = () => {};
  const hangs = new Promise<void>((resolve) => {
    isHanging = resolve;
  });
  let asked = 0;
  const service = createPort((socket) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
      const [head = '', body] = text.split('\r\n\r\n', 2);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      text = '';
      asked += 1;
      if (asked > answers) return isHanging();
      const sent = /^authorization: (.*)$/im.exec(head)?.[1] ?? 'nothing at all';
      socket.write(answerTo(sent, ownIn(head), asked, portOf(elsewhere)), 'latin1');
      if (asked % 9 === 5) socket.end();
    });
    sockets.add(socket.on('error', () => {}));
  });
  await Promise.all(
    [service, elsewhere].map(
      (each) => new Promise<void>((resolve) => void each.listen(0, '127.0.0.1', resolve)),
    ),
  );
  return {
    url: `http://127.0.0.1:${portOf(service as Server)}/v1`,
    strayed,
    hangs,
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of [service, elsewhere]) server.close();
    },
  };
}

const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port;

/** Headers that a user may add, and whatever can be read out of them. */
function ownIn(head: string): string[] {
  const lines = [...head.matchAll(/^(?:x-[\w-]+|cookie|proxy-authorization): (.*)$/gim)];
  return lines.flatMap(([, value = '']) => {
    const cookies = value.split(/; ?/).map((each) => each.replace(/^\w+=/, ''));
    const token = value.replace(/^\w+ /, '');
    const decoded = /^basic /i.test(value) ? Buffer.from(token, 'base64').toString() : '';
    return [...new Set([value, ...cookies, token, decoded, ...decoded.split(':')])];
  });
}

/** Bytes of a response: of another kind each time, with the secret in every part of it. */
function answerTo(sent: string, own: readonly string[], turn: number, elsewhere: number): string {
  const secret = sent.replace(/^\w+ /, '');
  const all = [sent, secret, ...own].filter((each) => each.length > 3).flatMap(spellingsOf);
  const inHeaders = all
    .filter((each) => !/[\r\n]/.test(each))
    .map((spelling, index) => `x-echo-${index}: ${spelling}`);
  const half = Math.ceil(secret.length / 2);
  inHeaders.push(`x-first: ${secret.slice(0, half)}`, 'x-between: 1', `x-second: ${secret.slice(half)}`);
  const nameless = Buffer.from(secret).toString('hex');
  const echoes = [...inHeaders, `x-${nameless}: 1`, `server: ${sent}`, `x-ratelimit-limit: ${secret}`];
  const one = all[turn % all.length] ?? '';
  const animal = {
    id: turn,
    name: secret,
    status: one,
    categoryId: 1,
    category: { id: 1, name: sent },
    [one]: 1,
  };
  const error = { status: 400, code: one, message: all.join(' ') };
  const animals = JSON.stringify([animal, { ...animal, photoUrls: all }]);
  const head = (status: number | string, type: string, more: readonly string[] = []) =>
    [`HTTP/1.1 ${status} ${sent}`, `content-type: ${type}`, ...more, ...echoes].join('\r\n');
  const whole = (status: number, type: string, body: string, more: readonly string[] = []) =>
    `${head(status, type, [...more, `content-length: ${Buffer.byteLength(body)}`])}\r\n\r\n${body}`;
  switch (turn % 9) {
    case 1:
      return whole(200, 'application/json', animals);
    case 2:
      return whole(201, 'application/json', JSON.stringify(animal), [
        `location: http://127.0.0.1:${elsewhere}/pets?key=${encodeURIComponent(secret)}`,
      ]);
    case 3:
      return whole(400, 'application/problem+json', JSON.stringify(error));
    case 4:
      return whole(307, 'text/html', `<p title="${sent}">${all.join('<br>')}</p>`, [
        `location: http://127.0.0.1:${elsewhere}/v1/pets?${encodeURIComponent(secret)}`,
      ]);
    case 5:
      return `${sent}\r\n${all.join('\r\n')}\r\n\r\n`;
    case 6:
      return whole(200, sent, sent, [`content-encoding: ${secret}`]);
    case 7:
      return whole(500, 'application/json', `{"status":500,"message":"${all.join('')}`);
    case 8:
      return whole(429, 'application/json', JSON.stringify(error), ['retry-after: 0', `date: ${sent}`]);
    default:
      return whole(404, 'application/json', JSON.stringify({ ...error, status: secret }));
  }
}
