// Clients that openapi-typescript-codegen generates for axios, with axios-retry. Called with the name of a mistake, it makes that one.
import axios from 'axios';
import axiosRetry from 'axios-retry';
import { Client as AnimalsClient, PetStatus } from './animals/index.ts';
import { Client as ProjectsClient } from './projects/index.ts';

const { PETSPEC_BASE_URL: baseUrl, PETSPEC_API_URL: apiUrl, PETSPEC_API_KEY: key } = process.env;
const [document, mistake] = process.argv.slice(2);

axiosRetry(axios, {
  // With the factor of 100 that it has otherwise, a pause may be as short as the one before.
  retryDelay: (count, error) => axiosRetry.exponentialDelay(count, error, 1_000),
  retryCondition: axiosRetry.isRetryableError,
});

const TOKEN = mistake === 'bearer-twice' ? `Bearer ${key}` : key;

async function useAnimals() {
  const { animals } = new AnimalsClient({ BASE: baseUrl, TOKEN });
  await animals.listPets(5, PetStatus.SOLD);
  const status = mistake === 'enum-by-name' ? Object.keys(PetStatus)[0] : PetStatus.AVAILABLE;
  await animals.createPet({ name: 'Rex', categoryId: 1, status });
  // The generated client knows no servers of a path.
  const address = mistake === 'one-address' ? baseUrl : apiUrl;
  await new AnimalsClient({ BASE: address, TOKEN }).default.sendMessage({ message: 'Hello' });
}

async function useProjects() {
  const { default: projects } = new ProjectsClient({ BASE: baseUrl, TOKEN });
  await projects.listProjects(10);
  const { data } = await projects.createProject({ name: 'Roof', state: 'open' });
  await projects.getProject(data.id);
  await projects.removeProject(data.id);
}

await (document === 'animals' ? useAnimals() : useProjects());
