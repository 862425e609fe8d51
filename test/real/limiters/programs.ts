/** What each limiter stands before: two items, for whoever has the key. Answers with a status and a body. */
const APP = `
exports.answer = (path, authorization) => {
  if (authorization !== 'Bearer right-key') return [401, { error: 'wrong key' }];
  if (path === '/items') return [200, [{ id: 1 }, { id: 2 }]];
  const item = /^\\/items\\/([12])$/.exec(path);
  return item ? [200, { id: Number(item[1]) }] : [404, { error: 'not found' }];
};
exports.serve = (port) => require('node:http').createServer(({ url, headers }, response) => {
  const [status, body] = exports.answer(url.split('?')[0], headers.authorization);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}).listen(port, '127.0.0.1');`;

export const KEY = 'right-key';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Items, version: '1' }
security: [{ key: [] }]
paths:
  /items:
    get:
      operationId: listItems
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Item' } } } } }
        '401': { description: Wrong key. }
        '429': { description: Too many. }
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        '401': { description: Wrong key. }
        '404': { description: No such item. }
        '429': { description: Too many. }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Item: { type: object, required: [id], properties: { id: { type: integer } } }
`;

/** Files that each limiter has in its folder. */
export const FILES = { 'app.cjs': APP, 'openapi.yaml': DOCUMENT };

/** An Express application behind a middleware. @param middleware an expression */
export function express(middleware: string, before = ''): string {
  return `
    const { answer } = require('./app.cjs');
    ${before}
    const app = require('express')();
    app.use(${middleware});
    app.use((request, response) => {
      const [status, body] = answer(request.path, request.headers.authorization);
      response.status(status).json(body);
    });
    app.listen({port}, '127.0.0.1');`;
}

/** Each handler of Nest is a method of a class, and its decorators are called by hand here. */
export function nest(throttlers: string): string {
  return `
    require('reflect-metadata');
    const { Controller, Get, Module, Req, Res } = require('@nestjs/common');
    const { APP_GUARD, NestFactory } = require('@nestjs/core');
    const { ThrottlerGuard, ThrottlerModule } = require('@nestjs/throttler');
    const { answer } = require('./app.cjs');
    const respond = (request, response) => {
      const [status, body] = answer(request.path, request.headers.authorization);
      response.status(status).json(body);
    };
    class Items {
      list(request, response) { respond(request, response); }
      get(request, response) { respond(request, response); }
    }
    for (const [name, path] of [['list', 'items'], ['get', 'items/:id']]) {
      Req()(Items.prototype, name, 0);
      Res()(Items.prototype, name, 1);
      Get(path)(Items.prototype, name, Object.getOwnPropertyDescriptor(Items.prototype, name));
    }
    Controller()(Items);
    class App {}
    Module({
      imports: [ThrottlerModule.forRoot(${throttlers})],
      controllers: [Items],
      providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
    })(App);
    NestFactory.create(App, { logger: false }).then((app) => app.listen({port}, '127.0.0.1'));`;
}

export const FASTIFY = `
    const { answer } = require('./app.cjs');
    const app = require('fastify')();
    const respond = async (request, reply) => {
      const [status, body] = answer(request.url.split('?')[0], request.headers.authorization);
      return reply.code(status).send(body);
    };
    (async () => {
      await app.register(require('@fastify/rate-limit'), {
        max: 30, timeWindow: 10_000, keyGenerator: (request) => request.headers.authorization ?? 'none',
      });
      app.get('/items', respond);
      app.get('/items/:id', respond);
      await app.listen({ port: {port}, host: '127.0.0.1' });
    })();`;

export const HONO = `
    const { answer } = require('./app.cjs');
    const { Hono } = require('hono');
    const { rateLimiter } = require('hono-rate-limiter');
    const app = new Hono();
    app.use(rateLimiter({
      windowMs: 8_000, limit: 25, standardHeaders: 'draft-6',
      keyGenerator: (c) => c.req.header('authorization') ?? 'none',
    }));
    app.all('*', (c) => {
      const [status, body] = answer(c.req.path, c.req.header('authorization'));
      return c.json(body, status);
    });
    require('@hono/node-server').serve({ fetch: app.fetch, port: {port}, hostname: '127.0.0.1' });`;

/** The headers that the README of rate-limiter-flexible sets; Retry-After has fractions of a second. */
export const FLEXIBLE_MEMORY = express(
  `(request, response, next) => {
      const setHeaders = (result) => response.set({
        'Retry-After': result.msBeforeNext / 1000,
        'X-RateLimit-Limit': opts.points,
        'X-RateLimit-Remaining': result.remainingPoints,
        'X-RateLimit-Reset': Math.ceil((Date.now() + result.msBeforeNext) / 1000),
      });
      limiter.consume(request.ip).then(
        (result) => { setHeaders(result); next(); },
        (result) => { setHeaders(result); response.status(429).json({ error: 'too many' }); },
      );
    }`,
  `const opts = { points: 20, duration: 8 };
    const limiter = new (require('rate-limiter-flexible').RateLimiterMemory)(opts);`,
);

/** Its wiki: no header but Retry-After, in whole seconds. */
export const FLEXIBLE_REDIS = express(
  `(request, response, next) => limiter.consume(request.ip).then(() => next(), (result) => {
      response.set('Retry-After', String(Math.round(result.msBeforeNext / 1000) || 1));
      response.status(429).json({ error: 'too many' });
    })`,
  `const storeClient = new (require('ioredis'))('{folder}/redis.sock');
    const limiter = new (require('rate-limiter-flexible').RateLimiterRedis)({ storeClient, points: 20, duration: 8 });`,
);

/** The sliding log that tutorials of Redis have: a sorted set of times for each client. What is refused is not added. */
export const REDIS_LOG = express(
  `async (request, response, next) => {
      const [allowed, left, wait] = await redis.eval(script, 1, 'log:' + request.ip, Date.now(), 10_000, 20, Math.random());
      response.set({ 'RateLimit-Limit': 20, 'RateLimit-Remaining': left });
      if (allowed) return next();
      response.set('Retry-After', Math.ceil(wait / 1000)).status(429).json({ error: 'too many' });
    }`,
  `const redis = new (require('ioredis'))('{folder}/redis.sock');
    const script = \`
      local now, window, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
      local used = redis.call('ZCARD', KEYS[1])
      if used >= limit then
        return { 0, 0, tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]) + window - now }
      end
      redis.call('ZADD', KEYS[1], now, ARGV[4])
      redis.call('PEXPIRE', KEYS[1], window)
      return { 1, limit - used - 1, 0 }\`;`,
);

export const FLASK = `
from flask import Flask, jsonify, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

app = Flask(__name__)
limiter = Limiter(get_remote_address, app=app, default_limits=['20 per 10 seconds'],
                  strategy='moving-window', headers_enabled=True, storage_uri='memory://')

def is_known():
    return request.headers.get('Authorization') == 'Bearer right-key'

@app.get('/items')
def list_items():
    return jsonify([{'id': 1}, {'id': 2}]) if is_known() else (jsonify(error='wrong key'), 401)

@app.get('/items/<int:id>')
def get_item(id):
    if not is_known():
        return jsonify(error='wrong key'), 401
    return jsonify(id=id) if id in (1, 2) else (jsonify(error='not found'), 404)

app.run('127.0.0.1', {port})
`;
