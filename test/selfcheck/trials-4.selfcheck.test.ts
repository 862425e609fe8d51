import { tryEvery } from './trials.ts';

tryEvery(3, 4);
