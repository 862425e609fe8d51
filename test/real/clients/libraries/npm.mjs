// Clients of projects.yaml with libraries from npm: each retries as its own documentation shows, or else as it does by default.
import { readFileSync } from 'node:fs';
import { getClient } from '@azure-rest/core-client';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import fetchRetry from 'fetch-retry';
import got from 'got';
import ky from 'ky';
import { ofetch } from 'ofetch';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import createClient from 'openapi-fetch';
import * as rax from 'retry-axios';
import superagent from 'superagent';
import { Agent, interceptors, request } from 'undici';
import wretch from 'wretch';
import { retry } from 'wretch/middlewares';

const { PETSPEC_BASE_URL: base, PETSPEC_API_KEY: key } = process.env;
const [library, document] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const NEW = { name: 'Roof', state: 'open' };

/** What a library does: each returns the JSON of a response. */
const CLIENTS = {
  'axios with axios-retry': () => {
    const api = axios.create({ baseURL: base, headers });
    axiosRetry(api, { retryDelay: axiosRetry.exponentialDelay });
    return withAxios(api);
  },
  'axios with retry-axios': () => {
    const api = axios.create({ baseURL: base, headers });
    api.defaults.raxConfig = { retry: 3 };
    rax.attach(api);
    return withAxios(api);
  },
  async 'openapi-client-axios with axios-retry'() {
    const definition = JSON.parse(readFileSync(document, 'utf8'));
    const api = new OpenAPIClientAxios({
      definition,
      withServer: { url: base },
      axiosConfigDefaults: { headers },
    });
    const client = await api.init();
    axiosRetry(client, { retryDelay: axiosRetry.exponentialDelay });
    return {
      list: async () => (await client.listProjects({ limit: 10 })).data,
      add: async () => (await client.createProject(null, NEW)).data,
      get: async (id) => (await client.getProject(id)).data,
      remove: (id) => client.removeProject(id),
    };
  },
  '@azure-rest/core-client': () => {
    const api = getClient(base, { allowInsecureConnection: true });
    const done = async (sent) => {
      const { status, body } = await sent;
      if (Number(status) >= 300) throw new Error(`status ${status}`);
      return body;
    };
    return {
      list: () => done(api.path('/projects').get({ headers, queryParameters: { limit: 10 } })),
      add: () => done(api.path('/projects').post({ headers, body: NEW })),
      get: (id) => done(api.path('/projects/{id}', id).get({ headers })),
      remove: (id) => done(api.path('/projects/{id}', id).delete({ headers })),
    };
  },
  ky: () => {
    const api = ky.create({ prefixUrl: base, headers, timeout: false });
    return {
      list: () => api.get('projects', { searchParams: { limit: 10 } }).json(),
      add: () => api.post('projects', { json: NEW }).json(),
      get: (id) => api.get(`projects/${id}`).json(),
      remove: (id) => api.delete(`projects/${id}`),
    };
  },
  got: () => {
    const api = got.extend({ prefixUrl: base, headers });
    return {
      list: () => api.get('projects', { searchParams: { limit: 10 } }).json(),
      add: () => api.post('projects', { json: NEW }).json(),
      get: (id) => api.get(`projects/${id}`).json(),
      remove: (id) => api.delete(`projects/${id}`),
    };
  },
  'undici with its interceptors': () => {
    const dispatcher = new Agent().compose(interceptors.retry(), interceptors.responseError());
    const ask = async (method, path, json) => {
      const body = json && JSON.stringify(json);
      const typed = json ? { ...headers, 'content-type': 'application/json' } : headers;
      const response = await request(base + path, { dispatcher, method, headers: typed, body });
      const text = await response.body.text();
      return text === '' ? undefined : JSON.parse(text);
    };
    return withAsk(ask);
  },
  ofetch: () => withAsk(ofetchAsk(ofetch.create({ baseURL: base, headers, retry: 3, retryDelay: 500 }))),
  wretch: () => {
    const api = wretch(base).headers(headers).middlewares([retry()]);
    return {
      list: () => api.get('/projects?limit=10').json(),
      add: () => api.post(NEW, '/projects').json(),
      get: (id) => api.get(`/projects/${id}`).json(),
      remove: (id) => api.delete(`/projects/${id}`).res(),
    };
  },
  superagent: () => {
    const ask = async (method, path, json) =>
      (
        await superagent(method, base + path)
          .set(headers)
          .retry(2)
          .send(json)
      ).body;
    return withAsk(ask);
  },
  'openapi-fetch with fetch-retry': () => {
    const retrying = fetchRetry(fetch, {
      retryOn: [429, 503],
      retryDelay: (attempt) => 2 ** attempt * 1000,
    });
    const api = createClient({ baseUrl: base, headers, fetch: retrying });
    const done = async (sent) => {
      const { data, response } = await sent;
      if (!response.ok) throw new Error(`status ${response.status}`);
      return data;
    };
    const params = (id) => ({ params: { path: { id } } });
    return {
      list: () => done(api.GET('/projects', { params: { query: { limit: 10 } } })),
      add: () => done(api.POST('/projects', { body: NEW })),
      get: (id) => done(api.GET('/projects/{id}', params(id))),
      remove: (id) => done(api.DELETE('/projects/{id}', params(id))),
    };
  },
};

function withAxios(api) {
  return withAsk(async (method, url, data) => (await api.request({ method, url, data })).data);
}

function ofetchAsk(api) {
  return (method, path, body) => api(path, { method, body });
}

function withAsk(ask) {
  return {
    list: () => ask('GET', '/projects?limit=10'),
    add: () => ask('POST', '/projects', NEW),
    get: (id) => ask('GET', `/projects/${id}`),
    remove: (id) => ask('DELETE', `/projects/${id}`),
  };
}

const client = await CLIENTS[library]();
await client.list();
const { data } = await client.add();
await client.get(data.id);
await client.remove(data.id);
