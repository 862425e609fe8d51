// Clients that swagger-typescript-api generates, with ky as their fetch. Called with the name of a mistake, it makes that one.
import ky from 'ky';
import { Api as AnimalsApi, ContentType } from './animals/index.ts';
import { Api as ProjectsApi } from './projects/index.ts';

const { PETSPEC_BASE_URL: baseUrl, PETSPEC_API_URL: apiUrl, PETSPEC_API_KEY: key } = process.env;
const [document, mistake] = process.argv.slice(2);

const retrying = ky.create({ timeout: false, retry: { methods: ['get', 'post', 'delete'] } });

/** A client of a generated class, for the service at an address. */
function clientOf(Api, address) {
  const api = new Api({
    baseUrl: address,
    securityWorker: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
    customFetch: mistake === 'no-retry' ? fetch : retrying,
  });
  api.setSecurityData(key);
  return api;
}

async function useAnimals() {
  const { pets } = clientOf(AnimalsApi, baseUrl);
  await pets.listPets({ limit: 5 }, mistake === 'not-secure' ? { secure: false } : {});
  const params = mistake === 'other-type' ? { type: ContentType.UrlEncoded } : {};
  await pets.createPet({ name: 'Rex', categoryId: 1 }, params);
  await clientOf(AnimalsApi, apiUrl).messages.sendMessage({ message: 'Hello' });
}

async function useProjects() {
  const { projects } = clientOf(ProjectsApi, baseUrl);
  await projects.listProjects({ limit: 10 });
  const created = await projects.createProject({ name: 'Roof', state: 'open' });
  const { data } = await created.json();
  await projects.getProject(data.id);
  await projects.removeProject(data.id);
}

await (document === 'animals' ? useAnimals() : useProjects());
