import { startApp } from './app.js';

const { STORE_API_KEY: apiKey, PORT = '8080', MESSAGE_PORT = '8081', MINUTE_MS = '60000' } = process.env;
if (!apiKey) throw new Error('STORE_API_KEY is missing: the one key that the service accepts');

const app = await startApp({
  apiKey,
  port: Number(PORT),
  messagePort: Number(MESSAGE_PORT),
  minute: Number(MINUTE_MS),
});
console.log(`base address: ${app.baseUrl}\nmessage address: ${app.apiUrl}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());
