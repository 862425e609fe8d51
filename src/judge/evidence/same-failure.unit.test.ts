import { expect, test } from 'vitest';
import { exchangeOf, judgedOf, probeNamed } from '../../../test/exchanges/exchanges.ts';
import type { Exchange, FailureKind, HeaderLine, Received } from '../../model/exchange.ts';
import { isPage, isTelling, locationOf, mediaTypeOf, placeOf, SAME_FAILURES } from './same-failure.ts';

const probe = probeNamed('listPets:plain');
const failed = (kind: FailureKind): Partial<Exchange> => ({
  failure: { kind, phase: 'headers', message: 'nothing came' },
});
const received = (status: number, headers: HeaderLine[] = [], body = ''): Received => ({
  status,
  headers,
  body,
});
const returned = (...of: Parameters<typeof received>): Partial<Exchange> => ({ response: received(...of) });
const to = (location: string): HeaderLine[] => [['Location', location]];
const typed = (type: string): HeaderLine[] => [['Content-Type', type]];

test.each<[what: string, one: Partial<Exchange>, other: Partial<Exchange>, kind: string | undefined]>([
  ['two resets', failed('reset'), failed('reset'), 'transport'],
  ['a reset and a timeout', failed('reset'), failed('timeout'), undefined],
  ['a reset and a response', failed('reset'), returned(500), undefined],
  ['a response and a reset', returned(500), failed('reset'), undefined],
  ['two redirects', returned(302, to('/a')), returned(301, to('/b')), 'redirect'],
  ['a redirect and a status', returned(302, to('/a')), returned(500), undefined],
  ['a status and a redirect', returned(500), returned(302, to('/a')), undefined],
  ['one status', returned(500), returned(500), 'status'],
  ['one status of a redirect that leads nowhere', returned(300), returned(300), 'status'],
  ['two statuses', returned(500), returned(400), undefined],
  ['two ways to say that there is nothing', returned(404), returned(501), 'status'],
  ['two ways to say that a gateway reaches nothing', returned(502), returned(504), 'status'],
  ['two successes', returned(200), returned(200), undefined],
  ['two refusals of a key', returned(401), returned(401), undefined],
  ['two pages', returned(200, [], '<html>'), returned(403, [], '<html>'), 'page'],
  ['a page and a text', returned(200, [], '<html>'), returned(403, [], 'html'), undefined],
])('%s fail in one manner or not', (_what, one, other, kind) => {
  const [left, right] = [exchangeOf(probe, one), exchangeOf(probe, other)];
  expect(SAME_FAILURES.find((each) => each.isSame(left, right))?.kind).toBe(kind);
});

const wrong = { deviations: [{ requirement: 'service.http' }] };

test.each<[what: string, exchange: Partial<Exchange>, change: object, tells: boolean]>([
  ['a response', returned(500), {}, true],
  ['a refusal by the limit', returned(429), wrong, false],
  ['a response to a wrong key', { ...returned(500), key: 'absent' }, wrong, false],
  ['a failure that is held against the service', failed('reset'), wrong, true],
  ['a failure that is not', failed('interrupted'), {}, false],
  ['nothing at all', {}, wrong, false],
])('%s shows how an operation responds, or not', (_what, exchange, change, tells) => {
  expect(isTelling(judgedOf(probe, exchangeOf(probe, exchange), change))).toBe(tells);
});

test.each<[status: number, location: string | undefined, leads: string | undefined]>([
  [299, '/there', undefined],
  [300, '/there', 'http://127.0.0.1/there'],
  [302, 'https://sso.example.com/login', 'https://sso.example.com/login'],
  [399, '/there', 'http://127.0.0.1/there'],
  [400, '/there', undefined],
  [302, undefined, undefined],
  [302, 'https://', undefined],
])('a %i with the Location %s leads to %s', (status, location, leads) => {
  const exchange = exchangeOf(probe, returned(status, location === undefined ? [] : to(location)));
  expect(locationOf(exchange)?.href).toBe(leads);
});

test.each<[body: string, type: string | undefined, is: boolean]>([
  ['<html>', undefined, true],
  ['<html lang="en">', 'application/json', true],
  ['<!DOCTYPE HTML>', undefined, true],
  ['\n  <!doctype html><title>a</title>', undefined, true],
  ['<htmlx>', undefined, false],
  ['see <html>', undefined, false],
  ['see <html>', 'text/html', false],
  ['<h1>a</h1>', 'text/html; charset=utf-8', true],
  ['<h1>a</h1>', 'application/xhtml+xml', true],
  ['<h1>a</h1>', 'application/xml', false],
  ['<h1>a</h1>', undefined, false],
])('whether %j of type %s is a page: %s', (body, type, is) => {
  expect(isPage(received(200, type === undefined ? [] : typed(type), body))).toBe(is);
});

test.each<[type: string, media: string | undefined]>([
  ['text/html', 'text/html'],
  [' Text/HTML ; charset=utf-8', 'text/html'],
  ['', undefined],
  ['; charset=utf-8', undefined],
])('the media type of %j is %s', (type, media) => {
  expect(mediaTypeOf(received(200, typed(type)))).toBe(media);
});

test.each<[location: string | undefined, place: string | undefined]>([
  ['https://sso.example.com/login?back=%2Fpets#form', 'https://sso.example.com/login'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  [undefined, undefined],
])('the place of %s is %s, whatever a request adds to it', (location, place) => {
  expect(placeOf(location === undefined ? undefined : new URL(location))).toBe(place);
});
