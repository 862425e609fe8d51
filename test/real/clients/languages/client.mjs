// A client of petstore.yaml with fetch. Without a name of a mistake it makes none.
const { PETSPEC_BASE_URL: base, PETSPEC_API_KEY: key } = process.env;
const mistake = process.argv[2];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** ms until the service may be asked again, by its own clock. */
function pauseOf(headers) {
  const after = headers.get('retry-after');
  if (after === null) return 1_000;
  if (/^\d+$/.test(after)) return Number(after) * 1_000;
  return Math.max(0, Date.parse(after) - Date.parse(headers.get('date'))) + 1_000;
}

/** The text of a response: a number beyond 2^53 has all of its digits only there. */
async function ask(method, path, body) {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const headers = { 'x-store-key': mistake === 'undefined' ? undefined : key };
    if (body !== undefined && mistake !== 'undeclared') headers['content-type'] = 'application/json';
    try {
      const response = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body }) });
      if (response.ok) return await response.text();
      if (![429, 500, 503].includes(response.status)) throw new Error(`status ${response.status}`);
      if (mistake !== 'not-unavailable' || response.status !== 503)
        await sleep(pauseOf(response.headers) + 100);
    } catch (error) {
      // fetch throws a TypeError if the connection breaks.
      if (!(error instanceof TypeError)) throw error;
    }
  }
  throw new Error('refused five times');
}

const idOf = (pet) =>
  mistake === 'doubles' ? String(BigInt(JSON.parse(pet).id)) : /"id"\s*:\s*(-?\d+)/.exec(pet)[1];

await ask('GET', '/pet/findByStatus?status=available');
const created = await ask('POST', '/pet', '{"name":"Rex","photoUrls":[],"status":"available"}');
const path = `/pet/${mistake === 'object-in-path' ? {} : idOf(created)}`;
const pet = await ask('GET', path);
await ask('PUT', path, `{"name":"Max","photoUrls":[],"category":{"id":${idOf(pet)}}}`);
await ask('DELETE', path);
