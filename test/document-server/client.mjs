// A client of projects.yaml. Without a name of a mistake it makes none.
const { PETSPEC_BASE_URL: base, PETSPEC_API_KEY: key } = process.env;
const mistake = process.argv[2];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** ms that a refused client waits: as long as the service says, by its own clock. */
function pauseOf(headers) {
  const after = headers.get('retry-after');
  if (mistake === 'hasty') return 0;
  if (after === null) return 1_000;
  if (/^\d+$/.test(after)) return Number(after) * 1_000;
  return (
    Math.max(
      0,
      Date.parse(after) - (mistake === 'own-clock' ? Date.now() : Date.parse(headers.get('date'))),
    ) + 1_000
  );
}

function send(method, path, body) {
  const type = mistake === 'other-type' ? 'text/plain' : 'application/json';
  return fetch(base + path, {
    method,
    headers: {
      authorization: mistake === 'bare-key' ? key : `Bearer ${key}`,
      ...(body ? { 'content-type': type } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

async function ask(method, path, body, tries = 5) {
  try {
    const response = await send(method, path, body);
    if (response.ok) {
      const text = await response.text();
      return text === '' ? undefined : JSON.parse(text);
    }
    if (tries > 0 && [429, 500, 503].includes(response.status)) {
      await sleep(pauseOf(response.headers) + 100);
      return ask(method, path, body, tries - 1);
    }
    throw new Error(`status ${response.status}`);
  } catch (error) {
    // fetch throws a TypeError if the connection breaks.
    if (tries === 0 || !(error instanceof TypeError)) throw error;
    return ask(method, path, body, tries - 1);
  }
}

const { data } = await ask('POST', '/projects', {
  name: mistake === 'wrong-field' ? 5 : 'Roof',
  state: 'open',
});
const page = await ask('GET', `/projects?limit=${mistake === 'wrong-parameter' ? 1_000 : 10}`);
if (mistake === 'strict' && page.data.some(({ state }) => state && !['open', 'closed'].includes(state)))
  throw new Error('unknown state');
await ask('GET', `/projects/${data.id}`);
await ask('DELETE', `/projects/${data.id}`);
