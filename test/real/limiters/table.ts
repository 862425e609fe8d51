import {
  express,
  FASTIFY,
  FLASK,
  FLEXIBLE_MEMORY,
  FLEXIBLE_REDIS,
  HONO,
  nest,
  REDIS_LOG,
} from './programs.ts';
import { HAPROXY, nginx, VARNISH } from './proxies.ts';

/** A statement of the profile by its `about`: the value that is right. */
type Expected = Readonly<Record<string, string | number | boolean>>;

/** A limiter as others use it, and what its configuration says. `{port}`, `{backend}` and `{folder}` are filled in. */
export interface RealLimiter {
  name: string;
  /** Its packages of the npm registry, with versions. */
  packages?: readonly string[];
  /** The program of a Debian package that it needs, and the package. */
  debian?: readonly [program: string, name: string];
  files: Readonly<Record<string, string>>;
  /** What starts it, in order; `backend` listens on `{backend}`. */
  start: readonly (readonly [command: string, ...args: string[]])[];
  /** By its configuration and its documentation: written before the profile was run. */
  kind: 'fixed window' | 'sliding log' | 'token bucket' | 'sliding counter';
  /** Part of what the profile says of the limit where it cannot tell the kind. */
  untold?: string;
  limit: number;
  windowS: number;
  /** What the profile has to say, as these are shown by headers or by what is let through. */
  told: Expected;
  /** What is right, but may be more than reads can show. */
  right?: Expected;
}

const NODE = process.execPath;
const PROGRAM = [[NODE, 'program.cjs']] as const;
const BACKEND = [NODE, '-e', 'require("./app.cjs").serve({backend})'] as const;
const REDIS = ['redis-server', '--port', '0', '--unixsocket', '{folder}/redis.sock', '--save', ''] as const;

/** Requests are counted by the address of the client, before anything else is looked at. */
const BY_ADDRESS: Expected = {
  scope: 'address',
  'cost read': 1,
  'cost wrong-key': 1,
  'cost rejected': 1,
  'cost head': 1,
  'cost getItem': 1,
};

/** By the key: a wrong one is counted elsewhere. */
const BY_KEY: Expected = {
  'cost read': 1,
  'cost wrong-key': 0,
  'cost rejected': 1,
  'cost head': 1,
  'cost getItem': 1,
};

const RETRY_IN_SECONDS: Expected = { 'retry-after': 'seconds', 'retry-after holds': true };

export const LIMITERS: readonly RealLimiter[] = [
  {
    name: 'express-rate-limit',
    packages: ['express@5.3.0', 'express-rate-limit@8.7.5'],
    files: {
      'program.cjs': express("require('express-rate-limit').rateLimit({ windowMs: 10_000, limit: 30 })"),
    },
    start: PROGRAM,
    // A window begins with the first request of a client.
    kind: 'fixed window',
    limit: 30,
    windowS: 10,
    told: {
      ...BY_ADDRESS,
      ...RETRY_IN_SECONDS,
      headers: 'X-RateLimit-Limit',
      'reset form': 'seconds since 1970',
    },
  },
  {
    name: 'express-rate-limit, draft 8, without failed requests',
    packages: ['express@5.3.0', 'express-rate-limit@8.7.5'],
    files: {
      'program.cjs': express(
        `require('express-rate-limit').rateLimit({
          windowMs: 12_000, limit: 40, standardHeaders: 'draft-8', legacyHeaders: false, skipFailedRequests: true,
        })`,
      ),
    },
    start: PROGRAM,
    kind: 'fixed window',
    limit: 40,
    windowS: 12,
    told: {
      'cost read': 1,
      'cost wrong-key': 0,
      'cost rejected': 0,
      'cost head': 1,
      'cost getItem': 1,
      ...RETRY_IN_SECONDS,
      headers: 'RateLimit',
      policy: true,
    },
  },
  {
    name: '@fastify/rate-limit, by key',
    packages: ['fastify@5.12.8', '@fastify/rate-limit@11.2.0'],
    files: { 'program.cjs': FASTIFY },
    start: PROGRAM,
    kind: 'fixed window',
    limit: 30,
    windowS: 10,
    told: {
      ...BY_KEY,
      ...RETRY_IN_SECONDS,
      headers: 'X-RateLimit-Limit',
      'reset form': 'seconds to go',
    },
  },
  {
    name: '@nestjs/throttler',
    packages: [
      '@nestjs/core@12.5.1',
      '@nestjs/common@12.5.1',
      '@nestjs/platform-express@12.5.1',
      '@nestjs/throttler@6.7.1',
      'reflect-metadata@0.2.2',
      'rxjs@7.8.2',
    ],
    files: { 'program.cjs': nest('[{ ttl: 10_000, limit: 30 }]') },
    start: PROGRAM,
    // Each hit has a time of its own to expire. Who exceeds the limit is blocked for as long as the window lasts. Reset is that of
    // the first hit. Each handler has a count of its own.
    kind: 'sliding log',
    limit: 30,
    windowS: 10,
    told: {
      'cost read': 1,
      'cost wrong-key': 1,
      'cost head': 1,
      'cost getItem': 'apart',
      ...RETRY_IN_SECONDS,
      headers: 'X-RateLimit-Limit',
      'reset form': 'seconds to go',
    },
    right: { scope: 'address', 'cost rejected': 1 },
  },
  {
    name: 'hono-rate-limiter, by key',
    packages: ['hono@4.13.19', '@hono/node-server@2.1.9', 'hono-rate-limiter@0.5.4'],
    files: { 'program.cjs': HONO },
    start: PROGRAM,
    kind: 'fixed window',
    limit: 25,
    windowS: 8,
    told: {
      ...BY_KEY,
      ...RETRY_IN_SECONDS,
      headers: 'RateLimit-Limit',
      'reset form': 'seconds to go',
    },
    // The kind leaves a sliding log of 7 s possible, and so another window.
    right: { policy: true },
  },
  {
    name: 'rate-limiter-flexible, in memory',
    packages: ['express@5.3.0', 'rate-limiter-flexible@11.4.0'],
    files: { 'program.cjs': FLEXIBLE_MEMORY },
    start: PROGRAM,
    kind: 'fixed window',
    limit: 20,
    windowS: 8,
    told: {
      ...BY_ADDRESS,
      headers: 'X-RateLimit-Limit',
      'reset form': 'seconds since 1970',
      'retry-after': 'invalid',
    },
  },
  {
    name: 'rate-limiter-flexible, in Redis',
    packages: ['express@5.3.0', 'rate-limiter-flexible@11.4.0', 'ioredis@6.0.0'],
    debian: ['redis-server', 'redis-server'],
    files: { 'program.cjs': FLEXIBLE_REDIS },
    start: [REDIS, ...PROGRAM],
    kind: 'fixed window',
    limit: 20,
    windowS: 8,
    told: { ...RETRY_IN_SECONDS },
    right: BY_ADDRESS,
  },
  {
    name: 'a sliding log in Redis',
    packages: ['express@5.3.0', 'ioredis@6.0.0'],
    debian: ['redis-server', 'redis-server'],
    files: { 'program.cjs': REDIS_LOG },
    start: [REDIS, ...PROGRAM],
    kind: 'sliding log',
    limit: 20,
    windowS: 10,
    told: { ...BY_ADDRESS, ...RETRY_IN_SECONDS, headers: 'RateLimit-Limit' },
  },
  {
    name: 'nginx limit_req, with 429',
    debian: ['nginx', 'nginx-light'],
    files: { 'nginx.conf': nginx('limit_req_status 429;') },
    start: [BACKEND, ['nginx', '-p', '{folder}', '-c', '{folder}/nginx.conf']],
    kind: 'token bucket',
    limit: 10,
    windowS: 5,
    told: { 'retry-after': 'absent' },
    right: BY_ADDRESS,
  },
  {
    name: 'HAProxy, http_req_rate',
    debian: ['haproxy', 'haproxy'],
    files: { 'haproxy.cfg': HAPROXY },
    start: [BACKEND, ['haproxy', '-db', '-f', 'haproxy.cfg']],
    kind: 'sliding counter',
    limit: 20,
    windowS: 10,
    told: { 'retry-after': 'absent' },
    right: BY_ADDRESS,
  },
  {
    name: 'Varnish, vsthrottle',
    debian: ['varnishd', 'varnish varnish-modules gcc libc6-dev'],
    files: { 'limited.vcl': VARNISH },
    start: [
      BACKEND,
      ['varnishd', '-F', '-n', '{folder}/varnish', '-a', '127.0.0.1:{port}', '-f', '{folder}/limited.vcl'],
    ],
    // Between requests that come faster than its rate, nothing is refilled: it cuts off parts of tokens.
    kind: 'token bucket',
    limit: 20,
    windowS: 10,
    // Its built-in response to a refusal has a Retry-After of 5, whatever the limiter says.
    told: { 'cost read': 1, 'cost wrong-key': 1, headers: 'X-RateLimit-Remaining', 'retry-after': 'seconds' },
    right: BY_ADDRESS,
  },
  {
    name: 'Flask-Limiter, moving window',
    debian: ['/usr/bin/flask', 'python3-flask-limiter'],
    files: { 'program.py': FLASK },
    start: [['/usr/bin/python3', 'program.py']],
    kind: 'sliding log',
    limit: 20,
    windowS: 10,
    told: {
      'cost read': 1,
      'cost wrong-key': 1,
      'cost head': 1,
      'cost getItem': 'apart',
      headers: 'X-RateLimit-Limit',
      'reset form': 'seconds since 1970',
      ...RETRY_IN_SECONDS,
    },
    right: { scope: 'address', 'cost rejected': 1 },
  },
  {
    name: 'nginx limit_req, as it is by default: 503',
    debian: ['nginx', 'nginx-light'],
    files: { 'nginx.conf': nginx() },
    start: [BACKEND, ['nginx', '-p', '{folder}', '-c', '{folder}/nginx.conf']],
    kind: 'token bucket',
    limit: 10,
    windowS: 5,
    untold: 'no request got 429, but 503 from #',
    told: {},
    right: BY_ADDRESS,
  },
];
