import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { proxiesFor } from '../../src/cli/options/network/proxy-variables.ts';
import { type Reference, type Report, realClock, run, startReference } from '../../src/index.ts';
import { reportProblem } from '../../src/model/report/report-schema.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { type Authority, type Identity, makeAuthority } from '../certificates/certificates.ts';
import {
  gatewayBefore,
  ipv6Before,
  type ProxyManners,
  proxyTo,
  tlsBefore,
  type WayStation,
} from './way-stations.ts';

const KEY = 'a-key-that-travels';
const HOST = 'store.example.test';

// TLS takes its time on a machine that is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'petspec-network-'));
let authority: Authority;
let server: Identity;
let client: Identity;
let reference: Reference;
const open: WayStation[] = [];

beforeAll(() => {
  authority = makeAuthority(folder);
  server = authority.sign('server', [`DNS:${HOST}`, 'DNS:messages.example.test', 'IP:127.0.0.1', 'IP:::1']);
  client = authority.sign('client');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  reference = await startReference({ clock: realClock, apiKey: KEY, plan: 'business' });
});
afterEach(async () => {
  await Promise.all([...open.splice(0).map((each) => each.close()), reference.close()]);
});

async function opened<T extends WayStation>(opening: Promise<T>): Promise<T> {
  const station = await opening;
  open.push(station);
  return station;
}

const portOf = (address: string) => Number(new URL(address).port);
const tlsOptions = () => ({ key: server.key, cert: server.certificate });
const withTls = (options = {}) =>
  opened(tlsBefore(portOf(reference.baseUrl), { ...tlsOptions(), ...options }));
const proxy = (manners: ProxyManners) => opened(proxyTo(manners));

/** A few requests, which tell the way as well as all of them. */
const FEW = ['listPets.200', 'createPet.201', 'createPet.400'];

const judge = (baseUrl: string, options: Partial<RunOptions> = {}): Promise<Report> =>
  run({ baseUrl, apiKey: KEY, plan: 'business', exhaust: 'none', only: FEW, ...options });

const throughProxy = (baseUrl: string, address: string, options: Partial<RunOptions> = {}) =>
  judge(baseUrl, {
    ...options,
    network: { ca: authority.certificate, proxies: { [new URL(baseUrl).origin]: address } },
  });

/** Judged and found right, by requests that arrived at the service. */
function expectConformant(report: Report): void {
  expect(report).toMatchObject({ verdict: 'conformant', summary: { violated: 0 } });
  expect(reference.log.length).toBe(report.requests.total);
  expect(report.summary.met).toBeGreaterThan(1);
}

function expectSetUpProblem(report: Report, because: string): void {
  expect(report).toMatchObject({ verdict: 'incomplete', summary: { violated: 0 } });
  expect(report.because).toContain(because);
  expect(reference.log).toEqual([]);
}

describe('certificates', () => {
  test('an authority of one’s own is trusted when it is named', async () => {
    const { port } = await withTls();
    expectConformant(await judge(`https://127.0.0.1:${port}/v1`, { network: { ca: authority.certificate } }));
  });

  test('and not when it is not, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const { port } = await withTls();
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expectSetUpProblem(
        await judge(`https://127.0.0.1:${port}/v1`),
        'the certificate is not trusted; --ca names the authority that signed it (',
      );
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  test('a certificate for another name is refused', async () => {
    const { port } = await withTls();
    const report = await judge(`https://localhost:${port}/v1`, { network: { ca: authority.certificate } });
    expectSetUpProblem(report, 'the certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)');
  });

  test('--insecure: judged all the same, and the report says so', async () => {
    const { port } = await withTls();
    const report = await judge(`https://localhost:${port}/v1`, { insecure: true });
    expectConformant(report);
    expect(report.target.insecure).toBe(true);
    expect(report.because).toContain('certificate of the service was not verified');
    expect(reportProblem(report)).toBeUndefined();
  });

  test('--insecure: what repeats a finding does not verify either', async () => {
    const { port } = await withTls();
    const report = await judge(`https://localhost:${port}/wrong/v1`, { insecure: true });
    const violated = report.requirements.filter(({ status }) => status === 'violated');
    expect(violated.map(({ curl }) => curl?.slice(0, 18))).toContain('curl -i --insecure');
  });

  test('--insecure says nothing where there is no certificate', async () => {
    const report = await judge(reference.baseUrl, { insecure: true, only: ['listPets.200'] });
    expect(report.target).not.toHaveProperty('insecure');
    expect(report.because).not.toContain('certificate');
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('a service that asks who connects, by %s', async (version) => {
    const who = { requestCert: true, rejectUnauthorized: true, ca: authority.certificate };
    const { port } = await withTls({ ...who, minVersion: version, maxVersion: version });
    const address = `https://127.0.0.1:${port}/v1`;
    const network = { ca: authority.certificate };
    expectSetUpProblem(await judge(address, { network }), 'no TLS connection could be made');
    expectConformant(await judge(address, { network: { ...network, client } }));
  });
});

describe('addresses', () => {
  test('an IPv6 literal', async () => {
    const { port } = await opened(ipv6Before(portOf(reference.baseUrl)));
    expectConformant(await judge(`http://[::1]:${port}/v1`));
  });

  test('an IPv6 literal with TLS', async () => {
    const front = await withTls();
    const { port } = await opened(ipv6Before(front.port));
    expectConformant(await judge(`https://[::1]:${port}/v1`, { network: { ca: authority.certificate } }));
  });

  test.each(['/gateway/petstore/v1', '/gateway/petstore/v1//'])('a base path: %s', async (path) => {
    const { port } = await opened(gatewayBefore(portOf(reference.baseUrl), '/gateway/petstore'));
    expectConformant(await judge(`http://127.0.0.1:${port}${path}`));
  });
});

describe('a proxy', () => {
  test('https goes through tunnels, to both addresses, and the proxy resolves their names', async () => {
    const base = await withTls();
    const messages = await opened(tlsBefore(portOf(reference.apiUrl), tlsOptions()));
    const routes = { [`${HOST}:443`]: base.port, 'messages.example.test:8443': messages.port };
    const { port, asked, headers } = await proxy({ routes });
    const [baseUrl, apiUrl] = [`https://${HOST}/v1`, 'https://messages.example.test:8443'];
    const proxies = proxiesFor([baseUrl, apiUrl], { HTTPS_PROXY: `http://127.0.0.1:${port}` });
    const network = { ca: authority.certificate, proxies };
    const report = await judge(baseUrl, { apiUrl, network, only: [] });
    expectConformant(report);
    expect(report.requests.total).toBeGreaterThan(50);
    // A connection is used again: as many tunnels as requests would be another service to a limiter.
    expect(asked.length).toBeLessThan(report.requests.total);
    expect(new Set(asked)).toEqual(new Set([`CONNECT ${HOST}:443`, 'CONNECT messages.example.test:8443']));
    expect(headers.some((each) => 'authorization' in each)).toBe(false);
  });

  test('plain http is asked of it, each request', async () => {
    const { port, asked } = await proxy({ routes: { [`${HOST}:80`]: portOf(reference.baseUrl) } });
    const report = await throughProxy(`http://${HOST}/v1`, `http://127.0.0.1:${port}`, { only: [] });
    expectConformant(report);
    expect(report.requests.total).toBeGreaterThan(50);
    expect(asked.length).toBe(report.requests.total);
    expect(asked.every((each) => /^(?:GET|POST) http:\/\/store\.example\.test\/v1\//.test(each))).toBe(true);
  });

  test('user and password are told to the proxy alone, decoded', async () => {
    const base = await withTls();
    const authorization = `Basic ${Buffer.from('a@user:p:ss/word').toString('base64')}`;
    const { port } = await proxy({ routes: { [`${HOST}:443`]: base.port }, authorization });
    expectConformant(
      await throughProxy(`https://${HOST}/v1`, `http://a%40user:p%3Ass%2Fword@127.0.0.1:${port}`),
    );
  });

  test('that speaks TLS itself is verified by its own name', async () => {
    const base = await withTls();
    const { port } = await proxy({ routes: { [`${HOST}:443`]: base.port }, tls: tlsOptions() });
    expectConformant(await throughProxy(`https://${HOST}/v1`, `https://127.0.0.1:${port}`));
  });

  test('--insecure is not for it', async () => {
    const { port, asked } = await proxy({ routes: {}, tls: tlsOptions() });
    const network = { proxies: { [`https://${HOST}`]: `https://127.0.0.1:${port}` } };
    expectSetUpProblem(
      await judge(`https://${HOST}/v1`, { insecure: true, network }),
      `the proxy https://127.0.0.1:${port} cannot be used: the certificate is not trusted`,
    );
    expect(asked).toEqual([]);
  });

  const REFUSALS: [what: string, manners: Partial<ProxyManners>, because: string][] = [
    ['407', { refuses: 407 }, 'responded 407: it refuses the user and the password'],
    ['403', { refuses: 403 }, 'responded 403 instead of connecting'],
    ['502', { refuses: 502 }, 'responded 502 instead of connecting'],
    ['503', { refuses: 503 }, 'responded 503 instead of connecting'],
    ['nothing', { isSilent: true }, 'no connection could be made within 300 ms through the proxy'],
  ];

  test.each(
    REFUSALS.flatMap(([what, manners, because]) =>
      // A service may well refuse with a 403 of its own.
      (what === '403' ? ['https'] : ['https', 'http']).map(
        (scheme) => [what, scheme, manners, because] as const,
      ),
    ),
  )(
    'that answers %s to %s: set-up, not the service; its password is nowhere',
    async (_, scheme, manners, because) => {
      const { port } = await proxy({ routes: {}, ...manners });
      const address = `http://me:pass-of-a-proxy@127.0.0.1:${port}`;
      const report = await throughProxy(`${scheme}://${HOST}/v1`, address, { timeout: 300 });
      expectSetUpProblem(report, because);
      expect(report.because).toContain(`http://127.0.0.1:${port}`);
      expect(JSON.stringify(report)).not.toContain('pass-of-a-proxy');
    },
  );

  test.each(['https', 'http'])('that is not there, for %s', async (scheme) => {
    const { port, close } = await proxyTo({ routes: {} });
    await close();
    expectSetUpProblem(
      await throughProxy(`${scheme}://${HOST}/v1`, `http://127.0.0.1:${port}`),
      `the proxy http://127.0.0.1:${port} cannot be used: the connection was refused`,
    );
  });

  test('that asks for a password where none is given says how', async () => {
    const { port } = await proxy({ routes: {}, authorization: 'Basic x' });
    expectSetUpProblem(
      await throughProxy(`https://${HOST}/v1`, `http://127.0.0.1:${port}`),
      'it asks for a user and a password; state them',
    );
  });

  test('that passes on what the service answers wrongly: the service’s fault', async () => {
    const { port } = await proxy({ routes: { [`${HOST}:80`]: portOf(reference.baseUrl) } });
    const report = await throughProxy(`http://${HOST}/wrong/v1`, `http://127.0.0.1:${port}`);
    expect(report.verdict).toBe('non-conformant');
  });
});
