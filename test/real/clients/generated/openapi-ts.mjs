// Clients that @hey-api/openapi-ts generates, with ky as their fetch. Called with the name of a mistake, it makes that one.
import ky from 'ky';
import { client as animals } from './animals/client.gen.ts';
import { createPet, listPets, sendMessage } from './animals/index.ts';
import { client as projects } from './projects/client.gen.ts';
import { createProject, getProject, listProjects, removeProject } from './projects/index.ts';

const { PETSPEC_BASE_URL: baseUrl, PETSPEC_API_URL: apiUrl, PETSPEC_API_KEY: key } = process.env;
const [document, mistake] = process.argv.slice(2);

const retrying = ky.create({ timeout: false, retry: { methods: ['get', 'post', 'delete'] } });
const settings = {
  baseUrl,
  auth: mistake === 'no-auth' ? undefined : key,
  fetch: mistake === 'no-retry' ? fetch : retrying,
  throwOnError: true,
};
animals.setConfig(settings);
projects.setConfig(settings);

async function useAnimals() {
  await listPets({ query: { limit: mistake === 'all-at-once' ? 1_000 : 5 } });
  const pet = { name: 'Rex', categoryId: 1 };
  // The client makes the JSON itself.
  await createPet({ body: mistake === 'json-of-json' ? JSON.stringify(pet) : pet });
  await sendMessage({ baseUrl: apiUrl, body: { message: 'Hello' } });
}

async function useProjects() {
  await listProjects({ query: { limit: 10 } });
  const created = await createProject({ body: { name: 'Roof', state: 'open' } });
  const path = { projectId: created.data.data.id };
  await getProject({ path });
  await removeProject({ path });
}

await (document === 'animals' ? useAnimals() : useProjects());
