import { tryEvery } from './trials.ts';

tryEvery(1, 4);
